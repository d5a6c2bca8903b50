"""What is looked at before anything starts: the port, the lock, the secrets."""

import socket
import stat

import pytest

from kappagraph.demo.credentials import credentials
from kappagraph.demo.errors import DemoError
from kappagraph.demo.lock import AlreadyRunning, hold
from kappagraph.demo.port import choose_port


def test_a_busy_port_is_named_with_a_free_one():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(DemoError, match=rf"Port {port} is taken .* make demo PORT=\d+"):
            choose_port("127.0.0.1", str(port))


def test_port_zero_finds_a_free_port():
    assert choose_port("127.0.0.1", "0") > 1023


@pytest.mark.parametrize("wanted", ["web", "70000", "-1", ""])
def test_nonsense_is_no_port(wanted):
    with pytest.raises(DemoError, match="no port number: choose one from 1 to 65535"):
        choose_port("127.0.0.1", wanted)


def test_an_address_that_is_not_here_is_refused():
    with pytest.raises(DemoError, match=r"Cannot listen on HOST=192\.0\.2\.1"):
        choose_port("192.0.2.1", "0")


def test_the_lock_tells_the_second_where_the_first_serves(tmp_path):
    hold(tmp_path / "lock", "http://localhost:8000")
    with pytest.raises(AlreadyRunning) as refused:
        hold(tmp_path / "lock", "http://localhost:9000")
    assert refused.value.address == "http://localhost:8000"


def test_secrets_are_made_once_and_kept_private(tmp_path):
    first = credentials(tmp_path)
    assert credentials(tmp_path) == first
    assert len({first.secret_key, first.database_password, first.superuser_password, first.admin_password}) == 4
    assert stat.S_IMODE((tmp_path / "credentials.json").stat().st_mode) == 0o600
