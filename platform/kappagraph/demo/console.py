"""What the person at the keyboard reads."""

import contextlib
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

MARGIN = "  "


def say(text: str = "") -> None:
    # The terminal may be gone; that is noticed elsewhere and no reason to leave children behind.
    with contextlib.suppress(OSError):
        print(text, flush=True)


def complain(text: str) -> None:
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


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
