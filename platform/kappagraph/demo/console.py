"""What the person at the keyboard reads."""

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

MARGIN = "  "


def say(text: str = "") -> None:
    _write(sys.stdout, text)


def complain(text: str) -> None:
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    try:
        print(text, file=stream, flush=True)
    except OSError:
        # The terminal is gone, which is noticed elsewhere: no reason to leave children behind.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    """Report how long the body took once it is done."""
    begun = time.monotonic()
    yield
    say(f"{MARGIN}{name:<42}{time.monotonic() - begun:5.1f} s")


def table(rows: Iterable[tuple[str, str]]) -> None:
    kept = list(rows)
    width = max((len(name) for name, _ in kept), default=0) + 3
    for name, value in kept:
        say(f"{MARGIN}{name:<{width}}{value}")


def shortened(path: Path) -> str:
    """Return `path` as seen from here when it lies below, in full otherwise."""
    with contextlib.suppress(ValueError):
        return f"{path.relative_to(Path.cwd())}/"
    return f"{path}/"
