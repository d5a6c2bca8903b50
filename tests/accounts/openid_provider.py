"""A small OpenID provider on this machine: discovery, authorisation, token and user info, as the standard says."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt


@dataclass
class Provider:
    """Who signs in next, and what the provider was asked."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, Any]] = field(default_factory=dict)
    breaks: str = ""

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, dict[str, Any], str]:
        self.asked.append(path)
        if path == self.breaks:
            return 500, {}, ""
        if path == "/.well-known/openid-configuration":
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "userinfo"}
            found = {name: f"{self.url}/{place}" for name, place in (names | {"jwks_uri": "keys"}).items()}
            return 200, found | {"issuer": self.url}, ""
        if path == "/authorize":
            code = f"code-{len(self.codes)}"
            self.codes[code] = query
            return 302, {}, f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
        if path == "/token":
            asked = self.codes.pop(query["code"])
            assert query["client_secret"] == "secret"
            assert "code_verifier" in query  # proof key for code exchange
            claims = {"iss": self.url, "aud": asked["client_id"], "exp": time.time() + 60, "iat": time.time()}
            token = jwt.encode(claims | self.person, "k" * 32, algorithm="HS256")
            return 200, {"access_token": "access", "token_type": "Bearer", "id_token": token}, ""
        if path == "/userinfo":
            return 200, self.person, ""
        return 404, {}, ""


@contextmanager
def provider() -> Iterator[Provider]:
    found = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            self._send(parts.path, parts.query)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            self._send(urlsplit(self.path).path, body)

        def _send(self, path: str, query: str) -> None:
            status, body, location = found.answer(path, {key: value[0] for key, value in parse_qs(query).items()})
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
