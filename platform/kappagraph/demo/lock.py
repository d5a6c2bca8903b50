"""One demo a state folder."""

import fcntl
import os
from pathlib import Path


class AlreadyRunning(Exception):
    """Another process holds the lock; `address` is where it serves."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def hold(file: Path, address: str) -> int:
    """Lock `file` for as long as this process lives and write `address` into it."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise AlreadyRunning(file.read_text().strip()) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, address.encode())
    return descriptor
