"""`make demo`: everything on this machine, from nothing to the address, until Ctrl-C."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kappagraph.demo import stack
from kappagraph.demo.console import complain, say, shortened, step, table
from kappagraph.demo.credentials import Credentials, credentials
from kappagraph.demo.errors import DemoError
from kappagraph.demo.lock import AlreadyRunning, hold
from kappagraph.demo.paths import CHECKOUT, private_directory, socket_directory, state_directory
from kappagraph.demo.port import choose_port
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.preparation import Sample, prepare
from kappagraph.demo.supervisor import Stop, Supervisor, stop_on_signals
from kappagraph.demo.surroundings import publish, withdraw
from kappagraph.demo.valkey import Valkey


@dataclass(frozen=True)
class Place:
    """Where this demo keeps its data and where it listens."""

    state: Path
    sockets: Path
    logs: Path
    host: str
    port: int

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"


def main() -> int:
    ignore_signals = stop_on_signals()
    os.umask(0o077)
    supervisor = Supervisor()
    place = None
    try:
        place = _claim()
        sample = _start(supervisor, place)
        _welcome(place, sample)
        supervisor.watch()
    except AlreadyRunning as other:
        say(f"Kappagraph already runs here, at {other.address} (Ctrl-C in its own window stops it).")
        return 0
    except DemoError as error:
        complain(str(error))
        return 1
    except Stop:
        say("\nStopping.")
        return 0
    finally:
        ignore_signals()
        supervisor.stop()
        if place:
            withdraw(place.state)
            shutil.rmtree(place.sockets, ignore_errors=True)


def _claim() -> Place:
    """Take the state folder and find the port, before anything is started."""
    state = private_directory(state_directory(CHECKOUT))
    wanted = os.environ.get("PORT", "8000")
    host = os.environ.get("HOST", "127.0.0.1")
    lock = state / "demo.lock"
    descriptor = hold(lock, f"http://localhost:{wanted}")
    port = choose_port(host, wanted)
    os.pwrite(descriptor, f"http://localhost:{port}".encode(), 0)
    logs = private_directory(state / "logs")
    return Place(state, private_directory(socket_directory(state)), logs, host, port)


def _start(supervisor: Supervisor, place: Place) -> Sample:
    secrets = credentials(place.state)
    say("Kappagraph")
    database_url = os.environ.get("DATABASE_URL") or _start_postgres(supervisor, place, secrets)
    redis_url = os.environ.get("REDIS_URL") or _start_valkey(supervisor, place)
    environment = _environment(place, secrets, database_url, redis_url)
    publish(place.state, environment)
    with step("Tables, static files and the sample"):
        sample = prepare(environment, place.state, secrets.admin_password)
    with step("Worker, clock and web server"):
        supervisor.start(
            stack.web(environment, place.logs, place.state / "web", place.host, place.port),
            stack.worker(environment, place.logs, place.state / "worker"),
            stack.beat(environment, place.logs, place.state / "clock"),
        )
    return sample


def _start_postgres(supervisor: Supervisor, place: Place, secrets: Credentials) -> str:
    server = Postgres(
        data=place.state / "postgres",
        sockets=private_directory(place.sockets / "postgres"),
        superuser_password=secrets.superuser_password,
        password=secrets.database_password,
    )
    with step("PostgreSQL with pgvector"):
        server.make_reachable()
        supervisor.start(stack.postgres(server, place.logs))
        server.establish()
    return server.url()


def _start_valkey(supervisor: Supervisor, place: Place) -> str:
    server = Valkey(data=place.state / "valkey", socket=place.sockets / "valkey.sock")
    with step("Valkey"):
        supervisor.start(stack.valkey(server, place.logs))
    return server.url()


def _environment(place: Place, secrets: Credentials, database_url: str, redis_url: str) -> Mapping[str, str]:
    """What the Django processes are told; what the person has set wins, as in any other installation."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    sources = [str(CHECKOUT), str(CHECKOUT / "platform")]
    return {
        "SECRET_KEY": secrets.secret_key,
        "SITE_URL": place.address,
        "OMP_NUM_THREADS": "1",
        **inherited,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "STATE_DIR": str(place.state),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join(sources),
        "PYTHONUNBUFFERED": "1",
    }


def _welcome(place: Place, sample: Sample) -> None:
    say()
    table(
        [
            ("Open", f"{place.address}/"),
            ("Sign in", f"{sample.username}   password {sample.password}"),
            *((f"Rate as {name}", f"{place.address}{path}") for name, path in sample.reviewers),
            ("Logs and data", shortened(place.state)),
        ]
    )
    say("\n  Ctrl-C stops everything; the data stay for the next start.")
