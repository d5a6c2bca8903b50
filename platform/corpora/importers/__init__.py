"""Readers of bibliographic exports: one small module a format, and one line in `IMPORTERS`.

An importer recognises its own files (or refuses with a reason and a remedy) and yields the records in them one by one.
"""

from pathlib import Path

from django.utils.translation import gettext

from corpora.importers.records import Importer, Record, Refused, Source
from corpora.importers.scopus_csv import ScopusCsv

__all__ = ["IMPORTERS", "Importer", "Record", "Refused", "Source", "open_export"]

IMPORTERS: tuple[Importer, ...] = (ScopusCsv(),)


def open_export(path: Path, *, name: str | None = None) -> Source:
    """The file as a source of records, by the first importer that accepts it.

    Raises `Refused`, which names the file (`name`, else its own), what is wrong with it and the remedy.
    """
    shown = name or path.name
    if path.stat().st_size == 0:
        raise Refused(
            gettext("%(file)s is empty. Export the records again, with Title, DOI and Abstract ticked.")
            % {"file": shown}
        )
    refusals = []
    for importer in IMPORTERS:
        try:
            return importer.open(path, shown)
        except Refused as refusal:
            refusals.append(refusal)
    raise refusals[0]
