"""The whole demo, as a person meets it: started, hurt, stopped, started again."""

import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import psycopg
import pytest

from kappagraph.demo.postgres_programs import installed_programs
from kappagraph.demo.stack import answers

pytestmark = pytest.mark.slow

ORDINARY = 65534


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """Data that several demos keep, one after the other."""
    return tmp_path_factory.mktemp("kept") / "state"


@pytest.fixture
def as_ordinary_user():
    """Words that take root's rights away; in a namespace where the interpreter lies in root's own home."""
    changed = ("setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups", "--")
    if subprocess.run([*changed, "test", "-x", os.path.realpath(sys.executable)], check=False).returncode == 0:
        return changed
    return ("unshare", "--user", f"--map-user={ORDINARY}", f"--map-group={ORDINARY}", "--")


def test_says_where_to_go(demo):
    assert demo.serves()
    assert re.search(r"Sign in +admin +password \S+", demo.said)
    links = re.findall(r"Rate as .+? +(http\S+)", demo.said)
    assert len(links) == 2
    for link in links:
        assert answers(link)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("PostgreSQL", "bin/postgres"),
        ("Valkey", "valkey-server"),
        ("worker", "celery -A config worker"),
        ("clock", "celery -A config beat"),
        ("web server", "gunicorn"),
    ],
)
def test_a_killed_child_comes_back_with_its_data(demo, name, word, wait_until):
    with demo.database() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS marker (n int)")
        connection.execute("INSERT INTO marker VALUES (1)")
        before = connection.execute("SELECT count(*) FROM marker").fetchone()
    demo.broker().set("marker", "kept")
    victim = demo.child(word)
    already = demo.said.count(f"{name} serves again")
    victim.send_signal(signal.SIGKILL)
    wait_until(lambda: demo.said.count(f"{name} serves again") > already)
    assert f"{name} was killed (SIGKILL)" in demo.said
    assert demo.child(word).pid != victim.pid
    wait_until(demo.serves)
    with demo.database() as connection:
        assert connection.execute("SELECT count(*) FROM marker").fetchone() == before
    assert demo.broker().get("marker") == b"kept"


def test_a_backup_is_restored_by_an_ordinary_role(demo, tmp_path):
    """The two commands of docs/operations.md."""
    programs = installed_programs() / "bin"
    with demo.superuser() as connection:
        connection.execute("CREATE DATABASE restored OWNER kappagraph")
    source = demo.database_url
    target = source.replace("@/kappagraph?", "@/restored?")
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute("CREATE TABLE backed_up AS SELECT '[1,2,3]'::vector AS v")
    dump = tmp_path / "kappagraph.dump"
    backup = [programs / "pg_dump", "--format=custom", "--exclude-extension=vector", "--file", dump, source]
    subprocess.run(backup, check=True)
    restore = [programs / "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction"]
    subprocess.run([*restore, "--dbname", target, dump], check=True)
    with psycopg.connect(target) as connection:
        assert connection.execute("SELECT v::text FROM backed_up").fetchall() == [("[1,2,3]",)]
        assert connection.execute("SELECT username FROM accounts_user WHERE is_superuser").fetchone() == ("admin",)


def test_a_second_demo_names_the_first_and_goes(demo, start_demo):
    second = start_demo(demo.state)
    assert second.process.wait(20) == 0
    assert f"already runs here, at {demo.address.rstrip('/')}" in second.said
    assert demo.serves()


def test_a_busy_port_is_said_before_anything_starts(tmp_path, start_demo):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = start_demo(tmp_path / "state", PORT=str(port))
        assert refused.process.wait(20) == 1
    assert f"Port {port} is taken" in refused.said
    assert not (tmp_path / "state" / "postgres").exists()


def test_an_unreachable_database_is_named(tmp_path, start_demo):
    refused = start_demo(tmp_path / "state", DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    assert refused.process.wait(60) == 1
    assert "look at DATABASE_URL" in refused.said
    assert refused.survivors() == []


def test_an_impatient_ctrl_c_leaves_nothing_running(state, start_demo):
    running = start_demo(state).wait_ready()
    assert len(running.family) >= 8
    assert running.stop(signal.SIGINT, signal.SIGINT) == 0
    assert running.survivors() == []
    assert running.said.rstrip().endswith("Stopping.")


def test_named_servers_take_the_embedded_ones_place(tmp_path, start_demo, embedded_postgres, embedded_valkey):
    named = {
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "REDIS_URL": os.environ["REDIS_URL"].replace("virtual_host=0", "virtual_host=7"),
    }
    running = start_demo(tmp_path / "state", **named).wait_ready()
    assert running.serves()
    programs = {process.name() for process in running.family}
    assert not programs & {"postgres", "valkey-server"}
    assert not (tmp_path / "state" / "postgres").exists()


def test_a_closed_terminal_leaves_nothing_running(state, start_demo, wait_until):
    keyboard, screen = pty.openpty()
    running = start_demo(state, stdout=screen)
    os.close(screen)
    shown = b""
    while b"Ctrl-C stops everything" not in shown:
        shown += os.read(keyboard, 4096)
    running.family = psutil.Process(running.process.pid).children(recursive=True)
    os.close(keyboard)
    assert running.process.wait(30) == 0
    assert running.survivors() == []


def test_a_killed_demo_takes_its_children_along_and_starts_again(state, start_demo):
    killed = start_demo(state).wait_ready()
    killed.stop(signal.SIGKILL)
    assert killed.survivors() == []
    again = start_demo(state).wait_ready()
    assert again.serves()
    assert again.stop(signal.SIGTERM) == 0
    assert again.survivors() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="this is an ordinary user already")
def test_runs_as_an_ordinary_user(start_demo, as_ordinary_user):
    home = Path(tempfile.mkdtemp(prefix="kappagraph-user-", dir="/tmp"))
    if as_ordinary_user[0] == "setpriv":
        os.chown(home, ORDINARY, ORDINARY)
    try:
        running = start_demo(home / "state", prefix=as_ordinary_user, HOME=str(home)).wait_ready()
        for process in running.family:
            assert "CapEff:\t0000000000000000" in Path(f"/proc/{process.pid}/status").read_text()
        assert running.serves()
        assert running.stop(signal.SIGINT) == 0
        assert running.survivors() == []
    finally:
        shutil.rmtree(home)
