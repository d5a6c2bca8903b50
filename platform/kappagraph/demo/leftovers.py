"""Processes that a killed run left behind, found by where they work: a pid file proves nothing."""

import os
from collections.abc import Collection
from pathlib import Path

import psutil


def end_left_overs(folder: Path, programs: Collection[str]) -> int:
    """Kill processes called one of `programs` that work in `folder`; return how many there were.

    Only for the holder of the lock on `folder`: whoever else works in it belongs to an earlier run.
    """
    found = [process for process in psutil.process_iter() if _is_left_over(process, folder, programs)]
    for process in found:
        process.kill()
    psutil.wait_procs(found, timeout=5)
    return len(found)


def _is_left_over(process: psutil.Process, folder: Path, programs: Collection[str]) -> bool:
    try:
        return (
            process.pid != os.getpid()
            and process.name().startswith(tuple(programs))
            and Path(process.cwd()) == folder.resolve()
        )
    except (psutil.Error, OSError):
        return False
