"""How the web process is started."""

import importlib.util

import pytest

from config import gunicorn


def environment() -> list[str]:
    found = importlib.util.find_spec("config.gunicorn")
    assert found is not None
    assert found.loader is not None
    fresh = importlib.util.module_from_spec(found)
    found.loader.exec_module(fresh)
    return list(fresh.raw_env)


def test_no_page_waits_for_the_kernel_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAPPAGRAPH_KERNEL", raising=False)
    assert environment() == ["KAPPAGRAPH_KERNEL=never"]


def test_whoever_runs_it_can_ask_for_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPPAGRAPH_KERNEL", "always")
    assert environment() == ["KAPPAGRAPH_KERNEL=always"]


def test_gunicorn_knows_every_setting() -> None:
    from gunicorn.config import Config

    config = Config()
    for name in ("worker_class", "workers", "threads", "keepalive", "accesslog", "raw_env", "logger_class"):
        config.set(name, getattr(gunicorn, name))
    assert "KAPPAGRAPH_KERNEL" in config.env


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("GET /join/0123456789abcdef:signature/?x=1 HTTP/1.1", "GET /join/…/?x=1 HTTP/1.1"),
        ("GET /accounts/password/reset/key/2-abcdef-0123456789/", "GET /accounts/password/reset/key/…/"),
        ("GET /rate/0d9f7a0e-5a7e-4b61-8f3b-3f0b6a2f9a11/", "GET /rate/0d9f7a0e-5a7e-4b61-8f3b-3f0b6a2f9a11/"),
        ("GET /join/ HTTP/1.1", "GET /join/ HTTP/1.1"),
    ],
)
def test_the_log_holds_no_key_that_lets_somebody_in(line: str, written: str) -> None:
    assert gunicorn.KEYS.sub(r"\1…", line) == written
