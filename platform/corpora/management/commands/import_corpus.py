import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.importers import Refused
from corpora.importers.report import ODDITIES, SKIPPED, ImportReport, Tally
from corpora.selectors import corpus_named
from corpora.services import create_corpus, import_file


class Command(BaseCommand):
    help = (
        "Import a bibliographic export (Scopus CSV with Title, Abstract, DOI) into a corpus, as a whole or not at all."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--corpus", required=True, metavar="NAME", help="made where there is none of that name")
        parser.add_argument("--dry-run", action="store_true", help="only report what would be imported")
        parser.add_argument("--problems", type=Path, metavar="CSV", help="write every row left out or odd to this file")

    def handle(self, *args: Any, file: Path, corpus: str, dry_run: bool, problems: Path | None, **options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"{file}: there is no such file.", returncode=2)
        name = corpus.strip()
        if not name or len(name) > 200:
            raise CommandError("--corpus: a name of 1 to 200 characters is needed.", returncode=2)
        existing = corpus_named(name=name)
        target = existing or create_corpus(name=name)
        try:
            with ExitStack() as stack:
                log = stack.enter_context(problems.open("w", encoding="utf-8-sig", newline="")) if problems else None
                report = import_file(path=file, corpus=target, dry_run=dry_run, problems=log)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=2) from None
        except OSError as error:
            raise CommandError(str(error), returncode=2) from None
        finally:
            if not existing and (dry_run or sys.exc_info()[0]):
                target.delete()
        self.stdout.write(describe(report, corpus=name))


def describe(report: ImportReport, *, corpus: str) -> str:
    """The report as lines for a terminal."""
    verb = "would be imported" if report.dry_run else "imported"
    lines = [f"{report.file_name}: {report.layout}, {report.encoding}"]
    if report.missing_columns:
        lines.append(f"columns not in the file: {', '.join(report.missing_columns)}")
    lines.append(f"{report.rows_read:>7} rows read")
    lines.append(f"{report.imported:>7} {verb} into “{corpus}”, {report.without_doi} of them without a DOI")
    lines.append(f"{report.rows_skipped:>7} skipped")
    lines += [_tally_line(tally, SKIPPED[reason]) for reason, tally in report.skipped.items()]
    if report.oddities:
        lines.append("        odd, but taken:")
        lines += [_tally_line(tally, ODDITIES[oddity]) for oddity, tally in report.oddities.items()]
    notices = report.leading_notices + report.trailing_notices
    if notices:
        lines.append(f"{notices:>7} copyright notices removed from abstracts")
    return "\n".join(lines)


def _tally_line(tally: Tally, text: str) -> str:
    rows = ", ".join(map(str, tally.rows[:10])) + (", …" if tally.count > 10 else "")
    return f"{tally.count:>11} {text} (row {rows})" if tally.count == 1 else f"{tally.count:>11} {text} (rows {rows})"
