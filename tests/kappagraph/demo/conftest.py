"""Starts the demo as a person would, in a folder of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psutil
import psycopg
import pytest
import redis

from kappagraph.demo.credentials import credentials
from kappagraph.demo.identity import dies_with_parent
from kappagraph.demo.paths import CHECKOUT, socket_directory
from kappagraph.demo.surroundings import join

PATIENCE = 120


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def clean_environment(state: Path, **extra: str) -> dict[str, str]:
    """What a fresh terminal has; the test run's own servers must not leak in."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    sources = os.pathsep.join([str(CHECKOUT), str(CHECKOUT / "platform")])
    return kept | {"STATE_DIR": str(state), "PORT": "0", "PYTHONPATH": sources} | extra


class Demo:
    """A running `python -m kappagraph.demo` and what it printed."""

    def __init__(
        self, state: Path, *, prefix: tuple[str, ...] = (), stdout: IO[bytes] | int | None = None, **extra: str
    ) -> None:
        self.state = state
        self.output = Path(tempfile.mkstemp(prefix="kappagraph-output-")[1])
        self.process = subprocess.Popen(
            [*prefix, *dies_with_parent(signal.SIGTERM), sys.executable, "-m", "kappagraph.demo"],
            env=clean_environment(state, **extra),
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=stdout or self.output.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.family: list[psutil.Process] = []

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_ready(self) -> "Demo":
        wait_until(lambda: "Ctrl-C stops everything" in self.said or self.process.poll() is not None)
        assert self.process.poll() is None, self.said
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        return self

    @property
    def address(self) -> str:
        return next(line.split()[-1] for line in self.said.splitlines() if line.strip().startswith("Open"))

    def serves(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}health/ready", timeout=5) as response:  # noqa: S310
                return bool(response.status == 200)
        except OSError:
            return False

    def child(self, word: str) -> psutil.Process:
        """The direct child whose command line has `word`."""
        for process in psutil.Process(self.process.pid).children():
            if word in " ".join(process.cmdline()):
                return process
        raise LookupError(word)

    @property
    def database_url(self) -> str:
        surroundings = {"STATE_DIR": str(self.state)}
        join(surroundings)
        return surroundings["DATABASE_URL"]

    def database(self) -> psycopg.Connection:
        return psycopg.connect(self.database_url, autocommit=True)

    def superuser(self) -> psycopg.Connection:
        password = credentials(self.state).superuser_password
        return psycopg.connect(self.database_url, user="postgres", password=password, autocommit=True)

    def broker(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(socket_directory(self.state, {}) / "valkey.sock"))

    def stop(self, *signals: signal.Signals) -> int:
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        for number in signals:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def survivors(self) -> list[psutil.Process]:
        _, alive = psutil.wait_procs(self.family, timeout=10)
        return alive


@pytest.fixture(name="wait_until", scope="session")
def patient() -> Callable[..., None]:
    return wait_until


@pytest.fixture
def start_demo() -> Iterator[Callable[..., Demo]]:
    """Start demos that the test need not stop."""
    started: list[Demo] = []

    def start(state: Path, **options: object) -> Demo:
        demo = Demo(state, **options)  # type: ignore[arg-type]
        started.append(demo)
        return demo

    yield start
    for demo in started:
        if demo.process.poll() is None:
            demo.stop(signal.SIGTERM)
        demo.output.unlink()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for all tests of a module that leave it serving."""
    running = Demo(tmp_path_factory.mktemp("demo") / "state").wait_ready()
    yield running
    running.stop(signal.SIGTERM)
    running.output.unlink()
