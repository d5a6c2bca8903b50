"""Write the export of a study into a stream."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from evaluation.models import Study
from evaluation.reports.agreement import agreement_json
from evaluation.reports.correlations import correlation_columns, correlation_rows
from evaluation.reports.data import CODE_VERSION, StudyData, load
from evaluation.reports.export.archive import Archive
from evaluation.reports.export.codebook import codebook
from evaluation.reports.export.columns import Column
from evaluation.reports.export.pseudonyms import Pseudonyms
from evaluation.reports.export.tables import (
    adjudication_columns,
    confidence_columns,
    guess_columns,
    highlight_columns,
    item_columns,
    missing_columns,
    open_answer_columns,
    rating_columns,
)
from evaluation.selectors.authorship import Authorship, study_authorship
from evaluation.selectors.correlations import score_settings
from evaluation.selectors.exports import (
    adjudication_rows,
    confidence_rows,
    guess_rows,
    highlight_rows,
    item_rows,
    missing_rows,
    open_answer_rows,
    rating_rows,
    snapshot,
)
from evaluation.selectors.protocol import protocol_lines

__all__ = ["build_export"]


def build_export(*, study: Study, salt: str, seed: int, stream: IO[bytes]) -> None:
    """Write the zip; the same data, salt, seed and code version give the same bytes.

    All files are read from one snapshot of the database. Ratings and texts stream; only the figures hold a row an item.
    """
    with Archive(stream) as archive:
        pseudonyms = Pseudonyms(salt)
        tables = {
            "ratings.csv": rating_columns(study=study.public_id, pseudonyms=pseudonyms),
            "items.csv": item_columns(study=study.public_id),
            "missing.csv": missing_columns(study=study.public_id, pseudonyms=pseudonyms),
            "open_answers.csv": open_answer_columns(study=study.public_id, pseudonyms=pseudonyms),
            "confidence.csv": confidence_columns(study=study.public_id, pseudonyms=pseudonyms),
            "highlights.csv": highlight_columns(study=study.public_id, pseudonyms=pseudonyms),
            "adjudications.csv": adjudication_columns(study=study.public_id, pseudonyms=pseudonyms),
            "authorship.csv": guess_columns(study=study.public_id, pseudonyms=pseudonyms),
            "correlations.csv": correlation_columns(),
        }
        data, guessed, protocol = _write_rows(archive, study, tables)
        # Computing takes its time; the snapshot is closed by now.
        names = {rater.pk: pseudonyms.of(rater.public_id) for rater in data.raters}
        agreement = agreement_json(data=data, names=names, seed=seed) | {"seen_early": data.opened.to_json()}
        archive.add_text("agreement.json", _json(agreement))
        archive.add_text("authorship.json", _json(guessed.to_json()))
        archive.add_table("correlations.csv", tables["correlations.csv"], correlation_rows(data=data, seed=seed))
        archive.add_text("protocol.jsonl", protocol)
        archive.add_text("codebook.md", codebook(data=data, tables=tables))
        archive.add_text("manifest.json", _json(_manifest(data, seed, archive)))


def _write_rows(
    archive: Archive, study: Study, tables: Mapping[str, list[Column]]
) -> tuple[StudyData, Authorship, str]:
    """The files that are rows of the database, what the figures rest on and what was asked, all of one moment."""
    with snapshot():
        study.refresh_from_db()
        data = load(study=study)
        settings = score_settings(study_id=study.pk)
        items = item_rows(study_id=study.pk, settings_id=settings[0] if settings else None)
        archive.add_table("ratings.csv", tables["ratings.csv"], rating_rows(study_id=study.pk))
        archive.add_table("items.csv", tables["items.csv"], items)
        archive.add_table("missing.csv", tables["missing.csv"], missing_rows(study_id=study.pk))
        archive.add_table("open_answers.csv", tables["open_answers.csv"], open_answer_rows(study_id=study.pk))
        archive.add_table("confidence.csv", tables["confidence.csv"], confidence_rows(study_id=study.pk))
        archive.add_table("highlights.csv", tables["highlights.csv"], highlight_rows(study_id=study.pk))
        decided = adjudication_rows(study_id=study.pk)
        archive.add_table("adjudications.csv", tables["adjudications.csv"], decided)
        archive.add_table("authorship.csv", tables["authorship.csv"], guess_rows(study_id=study.pk))
        return data, study_authorship(study=study), "".join(protocol_lines(study=study))


def _manifest(data: StudyData, seed: int, archive: Archive) -> dict[str, Any]:
    study = data.study
    return {
        "study": {
            "public_id": str(study.public_id),
            "title": study.title,
            "state": study.state,
            "frozen_sha256": study.frozen_sha256 or None,
            "draws": study.draws,
        },
        "seen_early": data.opened.to_json(),
        "data_sha256": data.sha256,
        "score_settings_sha256": data.score_settings,
        "code_version": CODE_VERSION,
        "seed": seed,
        "files": {
            name: {"sha256": entry.sha256, "bytes": entry.bytes, "rows": entry.rows}
            for name, entry in archive.entries.items()
        },
    }


def _json(value: Any) -> str:
    # A NaN in here would be a bug: undefined figures are null with a reason.
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
