"""Embedded services for one test run: started on the first request, gone with the run, however it ends.

The run starts this module as a child and keeps the child's standard input open. When the run ends, or is killed,
that pipe closes, and the keeper stops the servers and removes their folder. Requests come over a socket: a line
`postgres` or `valkey NAME` is answered with `ready`, or with what went wrong.
"""

import selectors
import shutil
import signal
import socket
import sys
from pathlib import Path

from kappagraph.demo import stack
from kappagraph.demo.errors import DemoError
from kappagraph.demo.postgres import Postgres
from kappagraph.demo.processes import Child, stop_all
from kappagraph.demo.valkey import Valkey

CONTROL = "control"
PASSWORD = "private-to-this-run"  # noqa: S105 - the socket's folder lets nobody else in


def postgres(folder: Path) -> Postgres:
    return Postgres(
        data=folder / "postgres",
        sockets=folder / "s",
        superuser_password=PASSWORD,
        password=PASSWORD,
        durable=False,
        may_create_databases=True,
    )


def valkey(folder: Path, name: str) -> Valkey:
    return Valkey(data=folder / f"valkey-{name}", socket=folder / f"{name}.sock", durable=False)


class Keeper:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.children: dict[str, Child] = {}

    def answer(self, request: str) -> str:
        try:
            if request not in self.children:
                self.start(request)
        except DemoError as error:
            return str(error)
        return "ready"

    def start(self, request: str) -> None:
        kind, _, name = request.partition(" ")
        if kind == "postgres":
            database = postgres(self.folder)
            database.sockets.mkdir(mode=0o700)
            database.make_reachable()
            child = Child(stack.postgres(database, self.folder))
        else:
            child = Child(stack.valkey(valkey(self.folder, name), self.folder))
        self.children[request] = child
        child.spawn()
        child.wait_ready()
        if kind == "postgres":
            database.establish()

    def stop(self) -> None:
        stop_all(list(self.children.values()))
        shutil.rmtree(self.folder, ignore_errors=True)


def serve(folder: Path) -> None:
    """Answer requests until standard input closes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    keeper = Keeper(folder)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / CONTROL))
    listener.listen()
    try:
        with selectors.DefaultSelector() as events:
            events.register(sys.stdin, selectors.EVENT_READ)
            events.register(listener, selectors.EVENT_READ)
            while all(key.fileobj is listener for key, _ in events.select()):
                connection, _ = listener.accept()
                with connection, connection.makefile("rw") as stream:
                    stream.write(keeper.answer(stream.readline().strip()))
    finally:
        keeper.stop()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
