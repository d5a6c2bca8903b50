import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from kappagraph.demo import supervisor as supervision
from kappagraph.demo.errors import DemoError
from kappagraph.demo.leftovers import end_left_overs
from kappagraph.demo.processes import Child, Service
from kappagraph.demo.supervisor import Supervisor


def python(tmp_path, code, **options):
    return Service("sleeper", [sys.executable, "-c", code], os.environ, tmp_path / "log", **options)


def test_a_service_that_ends_at_once_shows_its_last_words(tmp_path):
    child = Child(python(tmp_path, "raise SystemExit('no room')", is_ready=lambda: False))
    child.spawn()
    with pytest.raises(DemoError, match=r"sleeper ended at once.\n  \| no room"):
        child.wait_ready()


def test_a_service_that_never_answers_is_given_up(tmp_path):
    child = Child(python(tmp_path, "import time; time.sleep(60)", is_ready=lambda: False, seconds_to_start=0.2))
    child.spawn()
    try:
        with pytest.raises(DemoError, match="did not answer within"):
            child.wait_ready()
    finally:
        child.kill()


def test_ending_takes_the_whole_group(tmp_path):
    code = "import subprocess, sys; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); p.wait()"
    child = Child(python(tmp_path, code, seconds_to_stop=0.1, stop_signal=signal.SIGCONT))
    child.spawn()
    while not (written := (tmp_path / "log").read_text()):
        time.sleep(0.01)
    grandchild = psutil.Process(int(written))
    child.ask_to_stop()
    child.end()
    assert not child.alive
    psutil.wait_procs([grandchild], timeout=5)
    assert not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE


def test_a_service_that_cannot_live_ends_the_watch(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(supervision.sys.stdout, "fileno", lambda: 1, raising=False)
    supervisor = Supervisor()
    supervisor.start(python(tmp_path, "raise SystemExit('broken for good')"))
    with pytest.raises(DemoError, match=r"sleeper ended 7 times in a row[^$]*broken for good"):
        supervisor.watch()


def test_only_the_named_programs_in_the_folder_are_left_overs(tmp_path):
    inside = subprocess.Popen(["sleep", "60"], cwd=tmp_path)
    outside = subprocess.Popen(["sleep", "60"])
    try:
        assert end_left_overs(tmp_path, ["postgres"]) == 0
        assert end_left_overs(tmp_path, ["sleep"]) == 1
        assert inside.poll() is not None
        assert outside.poll() is None
    finally:
        for process in (inside, outside):
            process.kill()
            process.wait()
