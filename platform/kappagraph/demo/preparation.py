"""Runs `prepare` as a child and reads what it made."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kappagraph.demo.errors import DemoError
from kappagraph.demo.identity import dies_with_parent

UNREACHABLE = 3  # the exit status for a database that does not answer


@dataclass(frozen=True)
class Sample:
    """Who can sign in, and through which links reviewers come."""

    username: str
    password: str
    reviewers: tuple[tuple[str, str], ...]


def prepare(environment: Mapping[str, str], state: Path, admin_password: str) -> Sample:
    """Migrate, collect static files and load the sample; all of it may be repeated."""
    stamp = state / "static.stamp"
    command = [*dies_with_parent(signal.SIGKILL), sys.executable, "-m", "kappagraph.demo.prepare", str(stamp)]
    done = subprocess.run(  # noqa: S603
        command,
        env={**environment, "KAPPAGRAPH_ADMIN_PASSWORD": admin_password},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
    )
    if done.returncode == UNREACHABLE:
        raise DemoError(f"The database does not answer; look at DATABASE_URL.\n{_indented(done.stderr)}")
    if done.returncode != 0:
        raise DemoError(f"The database could not be prepared.\n{_indented(done.stderr)}")
    made = json.loads(done.stdout.splitlines()[-1])
    admin = made.get("admin") or {}
    reviewers = tuple((person["name"], person["path"]) for person in made.get("reviewers", []))
    return Sample(admin.get("username") or "admin", admin.get("password") or admin_password, reviewers)


def _indented(text: str, lines: int = 12) -> str:
    return os.linesep.join(f"  | {line}" for line in text.strip().splitlines()[-lines:])
