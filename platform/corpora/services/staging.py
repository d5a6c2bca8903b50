"""Imported rows on their way into a corpus: copied into a temporary table, compared there, then moved at once.

Only `move_into` touches the corpus, inside the caller's transaction, so an import stands as a whole or not at all.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

from django.db import connection

from corpora.importers import Record
from corpora.importers.cleaning import Clean, clean
from corpora.importers.report import ImportReport, ProblemLog
from corpora.models import Corpus, Text

Progress = Callable[[int], None]
CHUNK = 2000
CREATE = """
DROP TABLE IF EXISTS incoming;
CREATE TEMPORARY TABLE incoming (
    row_number integer PRIMARY KEY, title text, doi text, authors text, year smallint, source text, body text,
    sha256 text, skipped text NOT NULL DEFAULT ''
)
"""
COPY = "COPY incoming (row_number, title, doi, authors, year, source, body, sha256) FROM STDIN"
MARK_KNOWN_DOIS = """
UPDATE incoming SET skipped = 'doi_in_corpus' FROM corpora_document d
WHERE d.corpus_id = %(corpus)s AND incoming.doi <> '' AND d.doi = incoming.doi
"""
MARK_KNOWN_TEXTS = """
UPDATE incoming SET skipped = 'text_in_corpus' FROM corpora_document d JOIN corpora_text t ON t.id = d.text_id
WHERE d.corpus_id = %(corpus)s AND skipped = '' AND t.sha256 = incoming.sha256
  AND lower(d.title) = lower(incoming.title) AND (d.doi = '' OR incoming.doi = '')
"""
LIST_KNOWN = "SELECT row_number, skipped, title, doi FROM incoming WHERE skipped <> '' ORDER BY row_number"
# In the order of the hashes, so that two imports with texts in common wait for each other and never in a circle.
MOVE_TEXTS = """
INSERT INTO corpora_text (sha256, body)
SELECT DISTINCT ON (sha256) sha256, body FROM incoming WHERE skipped = '' ORDER BY sha256
ON CONFLICT (sha256) DO NOTHING
"""
MOVE_DOCUMENTS = """
INSERT INTO corpora_document (corpus_id, text_id, title, doi, authors, year, source, row_number)
SELECT %(corpus)s, t.id, title, doi, authors, year, source, row_number
FROM incoming JOIN corpora_text t USING (sha256) WHERE skipped = '' ORDER BY row_number
"""


@contextmanager
def staging_table() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    try:
        yield
    finally:
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS incoming")


def stage(*, records: Iterator[Record], report: ImportReport, log: ProblemLog, progress: Progress) -> None:
    """Copy what can be imported into the staging table, and count the rest by reason."""
    rows = _acceptable(records, report, log)
    while chunk := list(islice(rows, CHUNK)):
        with connection.cursor() as cursor, cursor.copy(COPY) as copy:
            for row in chunk:
                copy.write_row(
                    (
                        row.row,
                        row.title,
                        row.doi,
                        row.authors,
                        row.year,
                        row.source,
                        row.abstract,
                        Text.digest(row.abstract),
                    )
                )
        progress(report.rows_read)
    progress(report.rows_read)


def move_into(*, corpus: Corpus, report: ImportReport, log: ProblemLog) -> None:
    """Move the staged rows that the corpus does not have yet; inside the caller's transaction."""
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE incoming")
        cursor.execute(MARK_KNOWN_DOIS, {"corpus": corpus.pk})
        cursor.execute(MARK_KNOWN_TEXTS, {"corpus": corpus.pk})
        cursor.execute(LIST_KNOWN)
        for row, reason, title, doi in cursor.fetchall():
            report.skip(row, reason)
            log.write(row=row, reason=reason, title=title, doi=doi)
        cursor.execute(MOVE_TEXTS)
        cursor.execute(MOVE_DOCUMENTS, {"corpus": corpus.pk})
        report.imported = cursor.rowcount
        cursor.execute("SELECT count(*) FROM incoming WHERE skipped = '' AND doi = ''")
        report.without_doi = cursor.fetchone()[0]


def _acceptable(records: Iterator[Record], report: ImportReport, log: ProblemLog) -> Iterator[Clean]:
    """The rows that can be stored, each DOI and each title with abstract once: the first of them is kept."""
    rows_by_doi: dict[str, int] = {}
    rows_by_content: dict[bytes, tuple[int, bool]] = {}
    for record in records:
        report.rows_read += 1
        row = clean(record)
        content = hashlib.sha256(f"{row.title.lower()}\n{row.abstract}".encode()).digest()
        detail = ""
        if not row.problem and row.doi in rows_by_doi:
            row.problem, detail = "doi_twice", f"first in row {rows_by_doi[row.doi]}"
        elif not row.problem and content in rows_by_content:
            first, has_doi = rows_by_content[content]
            if not (row.doi and has_doi):
                row.problem, detail = "text_twice", f"first in row {first}"
        if row.problem:
            report.skip(row.row, row.problem)
            log.write(row=row.row, reason=row.problem, title=row.title, doi=row.doi, detail=detail)
            continue
        if row.doi:
            rows_by_doi[row.doi] = row.row
        rows_by_content.setdefault(content, (row.row, bool(row.doi)))
        report.note_notices(row.row, row.leading_notice, row.trailing_notice)
        for oddity in row.oddities:
            report.note(row.row, oddity)
            log.write(row=row.row, reason=oddity, title=row.title, doi=row.doi)
        yield row
