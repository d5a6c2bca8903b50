"""As whom PostgreSQL runs: it refuses root, and a container often offers nobody else."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from kappagraph.demo.errors import DemoError


@dataclass(frozen=True)
class Identity:
    """The words before a command that give up root, and who must then own its files (None: we do)."""

    prefix: tuple[str, ...] = ()
    owner: tuple[int, int] | None = None


def unprivileged(program: Path) -> Identity:
    """Choose how `program` runs without root; an ordinary user needs nothing."""
    if os.geteuid() != 0:
        return Identity()
    return mapped_user(program) or changed_user() or _refuse()


def mapped_user(program: Path) -> Identity | None:
    """Show root to `program` as an ordinary user: no account, no change of owner. Some containers forbid it."""
    if not shutil.which("unshare"):
        return None
    uid, gid = _nobody()
    prefix = ("unshare", "--user", f"--map-user={uid}", f"--map-group={gid}", "--")
    probe = subprocess.run([*prefix, program, "--version"], capture_output=True, check=False)  # noqa: S603
    return Identity(prefix) if probe.returncode == 0 else None


def changed_user() -> Identity | None:
    """Become the system's `nobody`, which must be able to reach the program and own the data."""
    if not shutil.which("setpriv"):
        return None
    uid, gid = _nobody()
    prefix = ("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--no-new-privs", "--")
    return Identity(prefix, (uid, gid))


def dies_with_parent(stop: signal.Signals) -> tuple[str, ...]:
    """Words that make a command receive `stop` when its parent is killed, where the system can."""
    if sys.platform == "linux" and shutil.which("setpriv"):
        return ("setpriv", "--pdeathsig", stop.name.removeprefix("SIG"), "--")
    return ()


def _nobody() -> tuple[int, int]:
    # initdb and postgres look the user's name up, so the number must have an entry.
    accounts = sorted(pwd.getpwall(), key=lambda account: account.pw_name != "nobody")
    account = next((account for account in accounts if account.pw_uid != 0), None)
    if account is None:
        return _refuse()
    return account.pw_uid, account.pw_gid


def _refuse() -> NoReturn:
    raise DemoError(
        "PostgreSQL refuses to run as root, and neither unshare nor setpriv works here: "
        "start as an ordinary user, or name a server in DATABASE_URL."
    )
