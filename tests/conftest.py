"""What every test may ask for: a database, a broker, a real worker, a browser.

The servers themselves come from `kappagraph.demo.pytest_plugin`, which starts one when the first test needs it.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from kappagraph.demo.identity import dies_with_parent

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# A headless browser on a machine without a display, a GPU or a way out.
BROWSER_FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, embedded_postgres: None, embedded_valkey: None
) -> None:
    """Start the servers just before pytest-django creates the test database."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """Material that lies beside some check-outs and is no part of the project."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not beside this check-out")
    return SHARED


@pytest.fixture(scope="session")
def test_environment(django_db_setup: None) -> dict[str, str]:
    """The environment in which a child process meets the test database, the broker and the same settings."""
    from django.conf import settings
    from django.db import connection

    database = connection.settings_dict
    credentials = ":".join(quote(database[key], safe="") for key in ("USER", "PASSWORD"))
    host, port = quote(database["HOST"], safe=""), database["PORT"] or 5432
    return os.environ | {
        "DATABASE_URL": f"postgresql://{credentials}@/{database['NAME']}?host={host}&port={port}",
        "REDIS_URL": settings.CELERY_BROKER_URL,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture(scope="session")
def running_worker(
    test_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[subprocess.Popen[bytes]]:
    from config.celery import app

    app.control.purge()
    log = tmp_path_factory.mktemp("worker") / "worker.log"
    worker_command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "query,gpu,cpu,io"]
    options = ["--concurrency=2", "--without-mingle", "--without-gossip", "--loglevel=INFO"]
    command = [*dies_with_parent(signal.SIGKILL), *worker_command, *options]
    with log.open("wb") as output:
        worker = subprocess.Popen(command, cwd=ROOT, env=test_environment, stdout=output, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + 60
        while not app.control.ping(timeout=0.3):
            if worker.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"the worker did not start:\n{log.read_text()}", pytrace=False)
        yield worker
    finally:
        worker.terminate()
        try:
            worker.wait(20)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


@pytest.fixture
def celery_worker_process(
    transactional_db: None, running_worker: subprocess.Popen[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """A real worker process for all four queues, reading the test database and this test's messages only."""
    from config.celery import app

    app.control.purge()
    yield running_worker
    let_workers_finish()


@pytest.fixture(autouse=True)
def _language_of_the_installation() -> Iterator[None]:
    """A request in another language leaves it to whatever this thread does next."""
    from django.utils import translation

    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _resting_database(request: pytest.FixtureRequest, _django_db_helper: None) -> Iterator[None]:
    """Before the tables are emptied, other processes and threads finish what they do there: else it is a deadlock."""
    yield
    marker = request.node.get_closest_marker("django_db")
    commits = marker is not None and marker.kwargs.get("transaction", False)
    if commits or {"transactional_db", "live_server"} & set(request.fixturenames):
        let_database_rest()


def let_workers_finish(seconds: float = 30) -> None:
    """Drop the messages that wait until no worker has a task in hand: a task's last act may be to send another."""
    from config.celery import app

    deadline = time.monotonic() + seconds
    was_idle = False
    while time.monotonic() < deadline:
        dropped = app.control.purge()
        inspect = app.control.inspect(timeout=2, limit=1)
        in_hand = [task for answer in (inspect.active(), inspect.reserved()) for task in (answer or {"": [1]}).values()]
        is_idle = not dropped and not any(in_hand)
        if is_idle and was_idle:
            return
        was_idle = is_idle
    pytest.fail("a worker was still at its task after the test")


def let_database_rest(seconds: float = 20) -> None:
    """Wait until no other connection is in a transaction; one that stays in it is cut off."""
    from django.db import connection

    deadline = time.monotonic() + seconds
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    busy = f"{others} AND backend_type = 'client backend' AND state <> 'idle'"
    with connection.cursor() as cursor:
        while True:
            cursor.execute(f"SELECT count(*) {busy}")
            if cursor.fetchone() == (0,):
                return
            if time.monotonic() > deadline:
                cursor.execute(f"SELECT pg_terminate_backend(pid) {busy}")
            time.sleep(0.02)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Headless Chromium, driven by Playwright."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no browser found: install Debian's package `chromium`, or Google Chrome")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: `make install`")
    with pytest.MonkeyPatch.context() as patch, playwright.sync_playwright() as driver:
        # Playwright keeps an event loop in this thread, which Django would take for an async caller.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        # The sandbox works for ordinary users only.
        sandbox = os.geteuid() != 0
        chromium = driver.chromium.launch(
            executable_path=program, headless=True, chromium_sandbox=sandbox, args=BROWSER_FLAGS
        )
        yield chromium
        chromium.close()


@pytest.fixture
def chromium(browser, live_server):  # type: ignore[no-untyped-def]
    """A fresh browser context that knows the running site as its base address."""
    context = browser.new_context(base_url=live_server.url, locale="en-GB")
    context.set_default_timeout(10_000)
    yield context
    context.close()
