"""Gives a test run its own PostgreSQL and Valkey; loaded with `-p` before Django's settings are read.

The addresses are known before the servers exist, so settings load at once, and a run that touches no database
never starts one. With xdist the controller owns the servers, and each worker gets a database and a Valkey of its
own. `DATABASE_URL` and `REDIS_URL` in the environment switch to real servers.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from kappagraph.demo import keeper

FOLDER = "KAPPAGRAPH_TEST_SERVICES"


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, None, None]:
    # A wrapper runs before pytest-django's own hook, which reads the settings.
    if FOLDER not in os.environ:
        _open_keeper(early_config)
    folder = Path(os.environ[FOLDER])
    if "STATE_DIR" not in os.environ:
        os.environ["STATE_DIR"] = str(folder / "state")
    (Path(os.environ["STATE_DIR"]) / "static").mkdir(parents=True, exist_ok=True)
    if "DATABASE_URL" not in os.environ:
        os.environ["DATABASE_URL"] = keeper.postgres(folder).url()
        os.environ["EMBEDDED_DATABASE"] = "1"
    if "REDIS_URL" not in os.environ or "EMBEDDED_BROKER" in os.environ:
        os.environ["REDIS_URL"] = keeper.valkey(folder, _worker()).url()
        os.environ["EMBEDDED_BROKER"] = "1"
    return (yield)


@pytest.fixture(scope="session")
def embedded_postgres() -> None:
    """The run's PostgreSQL is up (pgvector in template1); nothing to do when DATABASE_URL names a real one."""
    if "EMBEDDED_DATABASE" in os.environ:
        _request("postgres")


@pytest.fixture(scope="session")
def embedded_valkey() -> None:
    """This worker's Valkey is up; nothing to do when REDIS_URL names a real one."""
    if "EMBEDDED_BROKER" in os.environ:
        _request(f"valkey {_worker()}")


def _worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


def _open_keeper(config: pytest.Config) -> None:
    # Directly under /tmp: a socket's path may not be long.
    folder = Path(tempfile.mkdtemp(prefix="kappagraph-test-", dir="/tmp"))
    package_root = Path(keeper.__file__).parents[2]
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "kappagraph.demo.keeper", str(folder)],
        stdin=subprocess.PIPE,
        cwd=package_root,
        start_new_session=True,
    )
    os.environ[FOLDER] = str(folder)

    def close() -> None:
        process.communicate(timeout=60)  # closes its standard input
        del os.environ[FOLDER]

    config.add_cleanup(close)


def _request(service: str) -> None:
    address = str(Path(os.environ[FOLDER]) / keeper.CONTROL)
    deadline = time.monotonic() + 30
    while True:
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
                continue
            connection.sendall(f"{service}\n".encode())
            with connection.makefile() as stream:
                answer = stream.read()
        break
    if answer != "ready":
        pytest.fail(f"{service}: {answer}", pytrace=False)
