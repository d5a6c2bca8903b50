"""The web server's port, looked at before anything else starts."""

import errno
import socket

from kappagraph.demo.errors import DemoError


def choose_port(host: str, wanted: str) -> int:
    """Return the port number if it is free; 0 stands for any free one."""
    if not wanted.isdecimal() or int(wanted) > 65535:
        raise DemoError(f"PORT={wanted} is no port number: choose one from 1 to 65535.")
    try:
        return _bind(host, int(wanted))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "is taken by another program"
        elif error.errno == errno.EACCES:
            reason = "is not open to ordinary users"
        else:
            raise DemoError(f"Cannot listen on HOST={host}: {error.strerror}.") from None
    raise DemoError(f"Port {wanted} {reason}. Choose another one, for example: make demo PORT={_bind(host, 0)}")


def _bind(host: str, port: int) -> int:
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the web server does it: a port that only waits for its last packets counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        return int(probe.getsockname()[1])
