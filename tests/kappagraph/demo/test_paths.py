import os
import stat
from pathlib import Path

import pytest

from kappagraph.demo import paths
from kappagraph.demo.errors import DemoError
from kappagraph.demo.paths import private_directory, socket_directory, state_directory


def test_own_checkout_keeps_its_state(tmp_path):
    assert state_directory(tmp_path, {}) == tmp_path / ".state"


def test_anothers_checkout_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    chosen = state_directory(tmp_path, {"XDG_STATE_HOME": "/home/ada/.local/state"})
    assert chosen.parent == Path("/home/ada/.local/state/kappagraph")


def test_two_checkouts_never_share_sockets(tmp_path):
    assert socket_directory(tmp_path / "one", {}) != socket_directory(tmp_path / "two", {})


def test_a_long_runtime_folder_is_passed_over(tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    chosen = socket_directory(tmp_path, {"XDG_RUNTIME_DIR": str(long)})
    assert chosen.parent != long
    assert len(f"{chosen}/postgres/.s.PGSQL.5432") <= 103


def test_private_directory_is_closed_to_others(tmp_path):
    made = private_directory(tmp_path / "a" / "b")
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_private_directory_refuses_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(DemoError, match="not a folder of yours"):
        private_directory(tmp_path / "link")


def test_private_directory_refuses_a_foreign_owner(tmp_path, monkeypatch):
    (tmp_path / "theirs").mkdir()
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(paths.os, "geteuid", lambda: owner + 1)
    with pytest.raises(DemoError, match="remove it"):
        private_directory(tmp_path / "theirs")
