"""What the first `make demo` says while it installs, tried with stand-ins for pip and Python."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PIP = """#!/bin/sh
echo "Obtaining file:///here"
echo "Collecting django (from kappagraph)"
echo "  Downloading django.whl (8 MB)"
echo "Processing /wheels/celery.whl"
echo "ERROR: a sentence from pip" >&2
echo "Installing collected packages: django, celery"
exit {status}
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def install(folder: Path, *, status: int) -> subprocess.CompletedProcess[str]:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    pip = folder / ".venv" / "bin" / "pip"
    pip.parent.mkdir(parents=True, exist_ok=True)
    pip.write_text(PIP.format(status=status))
    pip.chmod(0o755)
    python = pip.with_name("python")
    python.write_text('#!/bin/sh\necho "python $@"\n')
    python.chmod(0o755)
    # As from a terminal, also where these tests were themselves started by make.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", "install"], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_package_is_a_dot_and_nothing_is_installed_twice(tmp_path: Path) -> None:
    done = install(tmp_path, status=0)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Installing Kappagraph into .venv (about three minutes the first time)",
        "..",
        "Unpacking the packages",
        "Compiling the graph kernel (half a minute)",
        "python -m graphs.science.warm_up",
    ]
    assert "Installing Kappagraph" not in install(tmp_path, status=0).stdout


def test_a_failure_stays_visible_and_is_tried_again(tmp_path: Path) -> None:
    failed = install(tmp_path, status=1)
    assert failed.returncode != 0
    assert "ERROR: a sentence from pip" in failed.stderr
    assert "Installing Kappagraph" in install(tmp_path, status=0).stdout
