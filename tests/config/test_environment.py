import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment as env


def test_a_socket_folder_in_the_database_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("D", "postgresql://anna:s%40crets@/kappagraph?host=%2Ftmp%2Fsockets")
    settings = env.database("D", "")
    assert (settings["HOST"], settings["USER"], settings["PASSWORD"]) == ("/tmp/sockets", "anna", "s@crets")  # noqa: S108
    assert settings["NAME"] == "kappagraph"


@pytest.mark.parametrize(("pooler", "threshold"), [("0", 0), ("1", None)])
def test_no_statement_is_kept_behind_a_pooler(
    monkeypatch: pytest.MonkeyPatch, pooler: str, threshold: int | None
) -> None:
    monkeypatch.setenv("D", "postgresql://anna@/kappagraph?host=%2Ftmp%2Fsockets")
    monkeypatch.setenv("DATABASE_POOLER", pooler)
    assert env.database("D", "")["OPTIONS"].get("prepare_threshold") == threshold


def test_another_database_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("D", "sqlite:///here.db")
    with pytest.raises(ImproperlyConfigured, match="PostgreSQL"):
        env.database("D", "")


@pytest.mark.parametrize(
    ("broker", "cache"),
    [
        ("redis+socket:///run/valkey.sock?virtual_host=0", "unix:///run/valkey.sock?db=1"),
        ("redis://localhost:6379/0", "redis://localhost:6379/1"),
        ("rediss://:secret@host:6380/0?ssl_cert_reqs=required", "rediss://:secret@host:6380/1?ssl_cert_reqs=required"),
    ],
)
def test_the_cache_lives_beside_the_broker(broker: str, cache: str) -> None:
    assert env.cache_url(broker, database=1) == cache


def test_an_unknown_broker_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL"):
        env.cache_url("amqp://localhost", database=1)


def test_a_flag_must_be_yes_or_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("F", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="F is 'perhaps'"):
        env.flag("F")


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(ImproperlyConfigured, match="SURELY_NOT_SET"):
        env.text("SURELY_NOT_SET")


def test_a_choice_must_be_one_of_those_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.one_of("SURELY_NOT_SET", ["en", "es"], "en") == "en"
    monkeypatch.setenv("L", "tlh")
    with pytest.raises(ImproperlyConfigured, match="L is 'tlh'; write one of en, es"):
        env.one_of("L", ["en", "es"], "en")
