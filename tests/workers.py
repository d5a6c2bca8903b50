"""Celery workers that a test may kill."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from kappagraph.demo.identity import dies_with_parent

ROOT = Path(__file__).resolve().parents[1]
BROKER_DATABASE = 7  # other tests' workers listen elsewhere


def start_worker(
    *, queues: str, environment: dict[str, str], folder: Path, is_alone: bool = True, **settings: str
) -> subprocess.Popen[bytes]:
    """A worker in a process group of its own; its log, schedule and state lie in `folder`.

    One that is alone has a broker database to itself, the sweeper inside, and leases of seconds; otherwise the worker
    hears what the test sends, and the test sweeps.
    """
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", queues]
    options = ["--without-mingle", "--without-gossip", "--loglevel=INFO"]
    environment = environment | {"STATE_DIR": str(folder)}
    if is_alone:
        options += ["-B", "-s", str(folder / "schedule"), "--concurrency=1"]
        broker = re.sub(
            r"(virtual_host=)\d+|/\d+$", lambda m: f"{m[1] or '/'}{BROKER_DATABASE}", environment["REDIS_URL"]
        )
        environment |= {"LEASE_SECONDS": "3", "SWEEP_SECONDS": "1", "REDIS_URL": broker}
    else:
        options += ["--pool=solo", "-n", f"{queues}@test"]
    with (folder / "worker.log").open("ab") as log:
        return subprocess.Popen(
            [*dies_with_parent(signal.SIGKILL), *command, *options],
            cwd=ROOT,
            env=environment | settings,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def kill(worker: subprocess.Popen[bytes]) -> None:
    """The worker and its children at once, as a power cut or the kernel's out-of-memory killer would."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
