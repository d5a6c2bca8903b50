"""The `kappagraph` command.

Nothing heavy is imported before a command has been chosen, so that `--help` answers at once; `agreement` and `score`
never load Django.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

__all__ = ["main"]

# Commands that live on files alone: each module offers add_parser(subparsers), and its parser a default `func`.
FILE_COMMANDS = ("kappagraph.agreement", "kappagraph.plan", "kappagraph.score")
# Commands of the installation: handed over to Django unread, with their own --help.
DATABASE_COMMANDS = {
    "import_corpus": "import a bibliographic export into a corpus",
    "embed_corpus": "embed the documents of a corpus",
    "launch_batch": "launch a generation batch from a specification",
    "export_study": "export a study's ratings and report",
    "migrate": "bring the database up to date",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status: 0 on success, 2 on bad input."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in DATABASE_COMMANDS:
        return _with_django(arguments)
    if arguments and arguments[0] == "demo":
        return _demo(arguments[1:])
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.func(chosen) or 0)
    except BrokenPipeError:
        # The reader of the pipe has seen enough (as in `| head`); keep Python from complaining while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kappagraph",
        description="Agreement between raters and graph metrics of texts, from files; and the platform's commands.",
        epilog="With a database: "
        + "; ".join(f"{name} ({purpose})" for name, purpose in DATABASE_COMMANDS.items())
        + "; demo (the whole platform on this machine).",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = parser.add_subparsers(title="commands on files", metavar="COMMAND", required=True)
    for module in FILE_COMMANDS:
        import_module(module).add_parser(commands)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when asked: reading package metadata takes time."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        from kappagraph.version import version

        print(f"kappagraph {version()}")
        parser.exit()


def _with_django(arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import_module("kappagraph.demo.surroundings").join(os.environ)  # beside a running demo, use its servers
    import_module("django.core.management").execute_from_command_line(["kappagraph", *arguments])
    return 0


def _demo(arguments: list[str]) -> int:
    if arguments:
        print("usage: [PORT=8000] kappagraph demo\nThe whole platform on this machine, until Ctrl-C.")
        return 0 if arguments[0] in ("-h", "--help") else 2
    return int(import_module("kappagraph.demo.main").main() or 0)
