"""Bring an export into a corpus: the same steps for the browser and the command line, dry or for good."""

import hashlib
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from django.contrib.auth.models import AbstractBaseUser
from django.core.files import File
from django.db import transaction
from django.db.models.functions import Now

from corpora.importers import Refused, encodings, open_export
from corpora.importers.report import ImportReport, ProblemLog
from corpora.models import Corpus, CorpusImport
from corpora.services.staging import Progress, move_into, stage, staging_table
from leases.models import State
from leases.services import Lease, LeaseLost, fail, finish, heartbeat


def import_file(
    *,
    path: Path,
    corpus: Corpus,
    dry_run: bool,
    name: str | None = None,
    problems: TextIO | None = None,
    progress: Progress = lambda rows: None,
    on_stored: Callable[[ImportReport], None] = lambda report: None,
) -> ImportReport:
    """Read the export and store what is new in it, or with `dry_run` only find out what would be stored.

    The corpus changes in one transaction, in which `on_stored` is called too. `progress` hears of the rows read so
    far; `problems` takes every row left out or odd, as CSV. Raises `corpora.importers.Refused`.
    """
    source = open_export(path, name=name)
    report = ImportReport(
        file_name=name or path.name,
        layout=source.layout,
        encoding=encodings.LABELS[source.encoding],
        columns=source.columns,
        missing_columns=source.missing_columns,
        dry_run=dry_run,
    )
    log = ProblemLog(problems)
    with staging_table():
        stage(records=iter(source), report=report, log=log, progress=progress)
        with transaction.atomic():
            move_into(corpus=corpus, report=report, log=log)
            if dry_run:
                transaction.set_rollback(True)
            else:
                on_stored(report)
    return report


def stage_import(
    *, corpus: Corpus, file: "File[Any]", file_name: str, created_by: AbstractBaseUser | None = None
) -> CorpusImport:
    """Keep an uploaded file and queue its dry run."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    owner: dict[str, Any] = {"created_by": created_by}
    return CorpusImport.objects.create(
        corpus=corpus, file=file, file_name=file_name[:255], sha256=digest.hexdigest(), **owner
    )


def confirm_import(*, corpus_import: CorpusImport) -> bool:
    """Queue the import for good once its dry run is done; False where there is nothing to confirm."""
    waiting = CorpusImport.objects.filter(pk=corpus_import.pk, state=State.DONE, dry_run=True)
    return bool(
        waiting.update(
            dry_run=False, state=State.QUEUED, attempts=0, rows_read=0, queued_at=Now(), sent_at=None, finished_at=None
        )
    )


def run_import(*, lease: Lease) -> None:
    """What a worker does with a leased import."""
    row = CorpusImport.objects.select_related("corpus").get(pk=lease.pk)
    superseded = row.problems.name

    def show(rows_read: int) -> None:
        held = CorpusImport.objects.filter(pk=lease.pk, lease_token=lease.token, state=State.RUNNING)
        if not held.update(rows_read=rows_read):
            raise LeaseLost(str(row))

    with heartbeat(lease), tempfile.TemporaryFile() as file:
        problems = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")

        def close(report: ImportReport) -> None:
            # The list of problems is kept before the row says that it is done, since pages then offer it.
            problems.flush()
            row.problems.save(f"{row.pk}-problems.csv", File(file), save=False)
            finish(lease=lease, report=report.as_json(), rows_read=report.rows_read, problems=row.problems.name)

        try:
            report = import_file(
                path=Path(row.file.path),
                name=row.file_name,
                corpus=row.corpus,
                dry_run=row.dry_run,
                problems=problems,
                progress=show,
                on_stored=close,
            )
            if row.dry_run:
                close(report)
            if superseded:
                row.problems.storage.delete(superseded)
        except Refused as refusal:
            fail(lease=lease, error=str(refusal))
        except FileNotFoundError:
            fail(lease=lease, error=f"The uploaded file {row.file_name} is no longer there. Upload it again.")
