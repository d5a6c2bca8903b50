"""The production servers on embedded PostgreSQL and Valkey, as `make demo` runs them, in a folder of their own."""

import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from kappagraph.demo import stack
from kappagraph.demo.paths import private_directory, socket_directory
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.processes import Child, Service, stop_all
from kappagraph.demo.valkey import Valkey

ROOT = Path(__file__).resolve().parents[2]
# The product's own application with one address more, for comparison.
APPLICATION = "benchmarks.load.site:application"


@dataclass
class Installation:
    """What is running, where it answers, and what it has cost so far."""

    state: Path
    port: int
    database: Postgres | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    children: list[Child] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def statement_log(self) -> Path:
        return self.state / "logs" / "postgres.log"

    @property
    def web_log(self) -> Path:
        return self.state / "logs" / "web.log"

    def start(self, service: Service) -> None:
        child = Child(service)
        self.children.append(child)
        child.spawn()
        child.wait_ready()

    def processor_seconds(self) -> dict[str, float]:
        """Processor time of each service, its children among it, and of this process, which is the load client."""
        spent = {child.service.name: _family_seconds(child) for child in self.children}
        own = psutil.Process().cpu_times()
        return spent | {"load client": own.user + own.system}


def _family_seconds(child: Child) -> float:
    if child.process is None:
        return 0.0
    parent = psutil.Process(child.process.pid)
    total = float(sum(parent.cpu_times()[:4]))  # with those of its children that have ended
    for member in parent.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = member.cpu_times()
            total += times.user + times.system
    return total


@contextlib.contextmanager
def installation(folder: Path, *, database_url: str = "", redis_url: str = "") -> Iterator[Installation]:
    """Start everything that a rating needs; no worker and no clock, since none has a part in it.

    Addresses that are given are used instead of embedded servers: their databases are for trying only.
    """
    state = private_directory(folder)
    sockets = private_directory(socket_directory(state))
    logs = private_directory(state / "logs")
    running = Installation(state, _free_port())
    try:
        database_url = database_url or _start_postgres(running, sockets, logs)
        redis_url = redis_url or _start_valkey(running, sockets, logs)
        running.environment = _environment(running, database_url, redis_url)
        join(running.environment)
        web = stack.web(running.environment, logs, state / "web", "127.0.0.1", running.port)
        command = [APPLICATION if word == "config.wsgi:application" else word for word in web.command]
        running.start(replace(web, command=command))
        yield running
    finally:
        stop_all(running.children)
        for left in sorted(sockets.rglob("*"), reverse=True):
            left.rmdir() if left.is_dir() else left.unlink()
        sockets.rmdir()


def _start_postgres(running: Installation, sockets: Path, logs: Path) -> str:
    running.database = database = Postgres(
        data=running.state / "postgres",
        sockets=private_directory(sockets / "postgres"),
        superuser_password=secrets.token_hex(16),
        password=secrets.token_hex(16),
    )
    database.make_reachable()
    running.start(stack.postgres(database, logs))
    database.establish()
    return database.url()


def _start_valkey(running: Installation, sockets: Path, logs: Path) -> str:
    valkey = Valkey(data=running.state / "valkey", socket=sockets / "valkey.sock")
    running.start(stack.valkey(valkey, logs))
    return valkey.url()


def _environment(running: Installation, database_url: str, redis_url: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG") and name != "DEBUG"}
    return {
        **inherited,
        "SECRET_KEY": secrets.token_hex(32),
        "SITE_URL": running.address,
        "OMP_NUM_THREADS": "1",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "STATE_DIR": str(running.state),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
        "PYTHONUNBUFFERED": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def join(environment: Mapping[str, str]) -> None:
    """Let this process use the servers' database, cache and secret, and make tables and static files."""
    os.environ.update(environment)
    os.environ.pop("DEBUG", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def python_path() -> None:
    """Make the product importable, and the folder of this script not: its `rating.py` would hide the app `rating`."""
    here = str(ROOT / "benchmarks")
    sys.path[:] = [str(ROOT), str(ROOT / "platform"), *(place for place in sys.path if place != here)]
