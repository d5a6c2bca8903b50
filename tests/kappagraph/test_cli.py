"""The command itself: quick to answer, free of the framework, clear about what it cannot do."""

import resource
import subprocess
import sys
from importlib import metadata

import pytest

from kappagraph import cli


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "kappagraph", *arguments], capture_output=True, text=True, check=False, **options
    )


def test_help_names_every_command():
    printed = run("--help")
    assert printed.returncode == 0
    for name in ("agreement", "score", "demo", *cli.DATABASE_COMMANDS):
        assert name in printed.stdout


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from kappagraph.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numpy', 'scipy', 'django', 'pandas', 'numba') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1] == "[]"


def test_help_is_quick():
    """Processor time, not the clock: other tests may share the machine."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < 0.3


@pytest.mark.parametrize("command", ["agreement", "score"])
def test_every_file_command_explains_itself(command):
    printed = run(command, "--help")
    assert printed.returncode == 0
    assert "FILE" in printed.stdout


def test_version():
    assert run("--version").stdout.strip() == f"kappagraph {metadata.version('kappagraph')}"


def test_an_unknown_command_is_bad_input():
    printed = run("agrement")
    assert printed.returncode == 2
    assert "agrement" in printed.stderr


def test_no_command_is_bad_input():
    assert run().returncode == 2


def test_database_commands_are_handed_to_django(monkeypatch):
    handed = []
    monkeypatch.setattr("kappagraph.demo.surroundings.join", lambda environment: None)
    monkeypatch.setattr("django.core.management.execute_from_command_line", handed.append)
    assert cli.main(["import_corpus", "export.csv", "--corpus", "tailings", "--dry-run"]) == 0
    assert handed == [["kappagraph", "import_corpus", "export.csv", "--corpus", "tailings", "--dry-run"]]


def test_demo_starts_only_without_arguments(monkeypatch, capsys):
    started = []
    monkeypatch.setattr("kappagraph.demo.main.main", lambda: started.append(True) or 0)
    assert cli.main(["demo"]) == 0
    assert started == [True]
    assert cli.main(["demo", "--help"]) == 0
    assert cli.main(["demo", "now"]) == 2
    assert started == [True]
    assert "PORT" in capsys.readouterr().out


def test_a_closed_pipe_is_no_error(tmp_path):
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(
        "item,rater,value\n" + "".join(f"i{i},r{r},{(i + r) % 3}\n" for i in range(60) for r in range(9))
    )
    command = f"{sys.executable} -m kappagraph agreement {ratings} --bootstrap 0 2>errors | head -c 10"
    printed = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert printed.stdout == '{"criteria'
    assert "Traceback" not in (tmp_path / "errors").read_text()
