"""A light load client: HTTP/1.1 over kept connections on raw sockets, and reviewers who rate like the page's script."""

import asyncio
import json
import re
import time
import uuid
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode

__all__ = ["Answer", "Connection", "Rater", "Reviewer", "Sent"]

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
CHOICE = re.compile(r'<input type="radio" name="(level-[\w-]+)" value="(\d+)"')
TOKEN = "b" * 32


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes

    @property
    def location(self) -> str:
        found = re.search(rb"\r\nlocation: (\S+)", self.head, re.IGNORECASE)
        return found[1].decode() if found else ""


class Connection(asyncio.Protocol):
    """One kept connection with one request at a time; opened anew when the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.transport: asyncio.Transport | None = None
        self.waiting: asyncio.Future[Answer] | None = None
        self.buffer = bytearray()

    async def send(self, request: bytes) -> Answer:
        """The answer; `ConnectionError` when the server went away before it had answered."""
        loop = asyncio.get_running_loop()
        if self.transport is None or self.transport.is_closing():
            await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        assert self.transport is not None
        self.buffer.clear()
        self.waiting = loop.create_future()
        self.transport.write(request)
        return await self.waiting

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0 or self.waiting is None:
            return
        head = bytes(self.buffer[:end])
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        size = int(length[1]) if length else 0
        if len(self.buffer) >= end + 4 + size:
            answer = Answer(int(head[9:12]), head, bytes(self.buffer[end + 4 : end + 4 + size]))
            waiting, self.waiting = self.waiting, None
            waiting.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(error or ConnectionResetError("closed before the answer"))

    def close(self) -> None:
        if self.transport is not None:
            self.transport.abort()


@dataclass(frozen=True)
class Reviewer:
    """Somebody who has come by invitation and is signed in."""

    name: str
    session: str
    study: uuid.UUID


@dataclass(frozen=True)
class Sent:
    """One rating that was sent, and what was heard of it."""

    key: str
    slot: str
    levels: dict[str, int]
    seconds: float
    status: int
    acknowledged: bool


@dataclass
class Rater:
    """A reviewer at work: each rating is one request, which stores the levels and brings the next text."""

    reviewer: Reviewer
    port: int
    place: str = ""
    page: str = ""
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = Connection(self.port)
        self.cookies = f"sessionid={self.reviewer.session}; csrftoken={TOKEN}"

    async def ask(self, method: str, path: str, form: dict[str, object] | None = None, *, accept: str) -> Answer:
        return await self.connection.send(self.request(method, path, form, accept=accept))

    def request(self, method: str, path: str, form: dict[str, object] | None = None, *, accept: str) -> bytes:
        body = urlencode(form or {}).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Accept: {accept}",
            f"Cookie: {self.cookies}",
        ]
        if method == "POST":
            lines += [
                f"X-CSRFToken: {TOKEN}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def begin(self) -> bool:
        """Ask for the first text; False when there is none for this reviewer."""
        given = await self.ask("POST", f"/rate/{self.reviewer.study}/", accept="text/html")
        self.place = given.location
        if given.status != 302 or not self.place.startswith("/texts/"):
            return False
        shown = await self.ask("GET", self.place, accept="text/html")
        self.page = shown.body.decode()
        return shown.status == 200

    def form(self) -> tuple[dict[str, object], dict[str, int]]:
        """What the page's script would send, and the levels in it, chosen by the text's address."""
        choices: dict[str, list[int]] = {}
        for name, value in CHOICE.findall(self.page):
            choices.setdefault(name, []).append(int(value))
        taste = uuid.UUID(self.place.split("/")[2]).int
        levels = {name: values[(taste >> 8 * n) % len(values)] for n, (name, values) in enumerate(choices.items())}
        hidden = {name: unescape(value) for name, value in HIDDEN.findall(self.page) if name != "csrfmiddlewaretoken"}
        fields = hidden | {"key": str(uuid.uuid4()), "seconds": "4.2", "go": "next", "comment": ""}
        return fields | levels, {name.removeprefix("level-"): index for name, index in levels.items()}

    async def rate(self, *, cut: bool = False) -> bool:
        """Send one rating and take the next text; False when there is no next one.

        With `cut` the connection is dropped as soon as the request is out, and the same request sent again.
        """
        fields, levels = self.form()
        request = self.request("POST", self.place, fields, accept="application/json")
        if cut:
            await self._send_and_hang_up(request)
        begun = time.perf_counter()
        try:
            answer = await self.connection.send(request)
        except ConnectionError:  # the server let an idle connection go at the same moment; the key makes this safe
            answer = await self.connection.send(request)
        seconds = time.perf_counter() - begun
        told = json.loads(answer.body) if answer.status == 200 else {}
        acknowledged = bool(told.get("saved"))
        self.sent.append(
            Sent(str(fields["key"]), self.place.split("/")[2], levels, seconds, answer.status, acknowledged)
        )
        self.place, self.page = told.get("location") or "", told.get("html") or ""
        return bool(self.page)

    async def _send_and_hang_up(self, request: bytes) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request)
        await writer.drain()
        await asyncio.sleep(0.003)
        writer.transport.abort()

    async def insert(self) -> float:
        """One request to the bare view, in seconds."""
        request = self.request("POST", "/bare/", {"key": uuid.uuid4()}, accept="application/json")
        begun = time.perf_counter()
        answer = await self.connection.send(request)
        assert answer.status == 200, answer
        return time.perf_counter() - begun

    def close(self) -> None:
        self.connection.close()
