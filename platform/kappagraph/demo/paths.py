"""Where a check-out keeps its data and its sockets, so that two check-outs never meet."""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from kappagraph.demo.errors import DemoError

CHECKOUT = Path(__file__).resolve().parents[3]
# The kernel's limit for a socket's path is 107 bytes (103 on macOS).
LONGEST_SOCKET_DIRECTORY = 103 - len("/.s.PGSQL.5432")


def state_directory(checkout: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that outlives a run: in the check-out if that is ours, else in the user's own."""
    if given := environ.get("STATE_DIR"):
        return Path(given).expanduser().absolute()
    if checkout.stat().st_uid == os.geteuid() and os.access(checkout, os.W_OK):
        return checkout / ".state"
    home = Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return home / "kappagraph" / _fingerprint(checkout)


def socket_directory(state: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return a short path of its own for each state folder."""
    name = f"kappagraph-{os.geteuid()}-{_fingerprint(state)}"
    for parent in (environ.get("XDG_RUNTIME_DIR"), "/tmp"):  # noqa: S108 - private_directory guards it
        if parent and os.access(parent, os.W_OK) and len(os.fsencode(f"{parent}/{name}")) <= LONGEST_SOCKET_DIRECTORY:
            return Path(parent) / name
    raise DemoError("No writable folder for sockets: set XDG_RUNTIME_DIR to a short path that is yours.")


def private_directory(path: Path, mode: int = 0o700) -> Path:
    """Create `path`, or accept it only as a real folder of this user; others cannot look in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode)
    except FileExistsError:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise DemoError(f"{path} is not a folder of yours: remove it and start again.") from None
    path.chmod(mode)
    return path


def _fingerprint(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:10]
