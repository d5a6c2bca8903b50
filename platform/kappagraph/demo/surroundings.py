"""What the demo's Django processes are told, kept in a file while it runs, so that `manage.py` can join them."""

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from kappagraph.demo.paths import CHECKOUT, state_directory

NAMES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "STATE_DIR")


def publish(state: Path, environment: Mapping[str, str]) -> None:
    """Write the file that `join` reads; only this user can read it."""
    withdraw(state)
    with os.fdopen(os.open(_file(state), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        stream.writelines(f"{name}={environment[name]}\n" for name in NAMES)


def withdraw(state: Path) -> None:
    _file(state).unlink(missing_ok=True)


def join(environ: MutableMapping[str, str]) -> None:
    """Take over a running demo's surroundings, unless a database is named already."""
    if "DATABASE_URL" in environ:
        return
    try:
        lines = _file(state_directory(CHECKOUT, environ)).read_text().splitlines()
    except OSError:
        return
    for line in lines:
        name, _, value = line.partition("=")
        environ.setdefault(name, value)


def _file(state: Path) -> Path:
    return state / "environment"
