"""The services of an installation: which programs, with which environment, and when each of them serves."""

import os
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from kappagraph.demo.identity import dies_with_parent
from kappagraph.demo.leftovers import end_left_overs
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.processes import Service
from kappagraph.demo.valkey import Valkey

QUEUES = "query,gpu,cpu,io"


def postgres(server: Postgres, logs: Path) -> Service:
    return Service(
        "PostgreSQL",
        server.command(),
        server.environment(),
        logs / "postgres.log",
        is_ready=server.is_ready,
        prepare=server.prepare,
        stop_signal=signal.SIGINT,  # its "fast" shutdown: ends the sessions, loses nothing
        foundation=True,
    )


def valkey(server: Valkey, logs: Path) -> Service:
    return Service(
        "Valkey",
        server.command(),
        os.environ,
        logs / "valkey.log",
        is_ready=server.is_ready,
        prepare=server.prepare,
        foundation=True,
    )


def worker(environment: Mapping[str, str], logs: Path, place: Path) -> Service:
    log = logs / "worker.log"
    log.touch(mode=0o600)
    offset = 0

    def prepare() -> None:
        nonlocal offset
        _clear(place)
        offset = log.stat().st_size if log.exists() else 0

    def is_ready() -> bool:
        with log.open("rb") as stream:
            stream.seek(offset)
            return b" ready." in stream.read()

    options = ["-A", "config", "worker", "-Q", QUEUES, "--concurrency=2", "--without-mingle", "--without-gossip"]
    # Without its broker, which goes at the same moment, a polite stop could wait for ever; leases forgive a kill.
    command = _python("celery", *options, "--loglevel=INFO", orphaned=signal.SIGKILL)
    return Service("worker", command, environment, log, is_ready, prepare, folder=place)


def beat(environment: Mapping[str, str], logs: Path, place: Path) -> Service:
    schedule = place / "schedule"

    def prepare() -> None:
        _clear(place)
        # Its memory of past ticks is of no use after a crash, and may be torn.
        for left in place.glob(f"{schedule.name}*"):
            left.unlink()

    options = ["-A", "config", "beat", "--schedule", str(schedule), "--pidfile="]
    command = _python("celery", *options, "--loglevel=INFO", orphaned=signal.SIGKILL)
    return Service("clock", command, environment, logs / "clock.log", prepare=prepare, folder=place)


def web(environment: Mapping[str, str], logs: Path, place: Path, host: str, port: int) -> Service:
    options = ["-c", "python:config.gunicorn", "--bind", f"{host}:{port}"]
    command = _python("gunicorn", *options, "config.wsgi:application")
    return Service(
        "web server",
        command,
        environment,
        logs / "web.log",
        is_ready=lambda: answers(f"http://127.0.0.1:{port}/health/ready"),
        prepare=lambda: _clear(place),
        folder=place,
    )


def answers(address: str) -> bool:
    """Tell whether `address` answers 200."""
    try:
        with urllib.request.urlopen(address, timeout=5) as response:  # noqa: S310 - our own http address
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _python(*words: str, orphaned: signal.Signals = signal.SIGTERM) -> list[str]:
    return [*dies_with_parent(orphaned), sys.executable, "-m", *words]


def _clear(place: Path) -> None:
    place.mkdir(mode=0o700, exist_ok=True)
    end_left_overs(place, ["python", "celery", "gunicorn"])
