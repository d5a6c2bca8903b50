"""A study run through the real services: what reviewers did is what the report and the export say."""

import csv
import io
import json
import zipfile
from collections import Counter
from uuid import uuid4

import pytest

from evaluation.models import Slot
from evaluation.reports.export.build import build_export
from evaluation.selectors.agreement import criterion_scales
from evaluation.selectors.left_out import left_out
from evaluation.services.allocation import claim_next, skip_slot
from evaluation.services.ratings import record_ratings
from evaluation.services.studies import close_study
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


def answer(study, reviewer, level):
    """Claim the next text and answer both criteria on it."""
    slot = Slot.objects.get(public_id=claim_next(study_id=study.pk, reviewer=reviewer).slot)
    answers = {scale.key: level for scale in criterion_scales(study_id=study.pk)}
    record_ratings(slot_id=slot.public_id, reviewer=reviewer, answers=answers, key=uuid4())
    return slot


def test_what_reviewers_did_is_what_is_exported():
    study, (first, second) = make_open_study(texts=4, reviewers=2)
    for level in (0, 1, 2, 2):
        answer(study, first, level)
    revised = answer(study, second, 1)
    record_ratings(
        slot_id=revised.public_id, reviewer=second, answers={criterion_scales(study_id=study.pk)[0].key: 2}, key=uuid4()
    )
    skipped = claim_next(study_id=study.pk, reviewer=second)
    skip_slot(slot_id=skipped.slot, reviewer=second, reason="not my field")
    claim_next(study_id=study.pk, reviewer=second)
    study = close_study(study=study)

    for figures in left_out(study_id=study.pk).values():
        assert figures.counted == 5
        assert figures.missing["skipped"] == figures.missing["not_reached"] == 1
        assert figures.planned == 8 == figures.counted + sum(figures.missing.values())

    stream = io.BytesIO()
    build_export(study=study, salt="salt", seed=0, stream=stream)
    with zipfile.ZipFile(stream) as archive:
        ratings = list(csv.DictReader(io.StringIO(archive.read("ratings.csv").decode(), newline="")))
        missing = list(csv.DictReader(io.StringIO(archive.read("missing.csv").decode(), newline="")))
        agreement = json.loads(archive.read("agreement.json"))
    assert Counter(row["counted"] for row in ratings) == {"true": 10, "false": 1}
    assert Counter(row["revision"] for row in ratings) == {"1": 10, "2": 1}
    assert Counter(row["reason"] for row in missing) == {"skipped": 2, "not_reached": 2, "not_assigned": 2}
    assert [found["ratings"] for found in agreement["criteria"]] == [5, 5]
    assert [found["pairs"][0]["n"] for found in agreement["criteria"]] == [1, 1]
