"""Scales are rendered once a process and look: what one page shows never stands on another."""

import uuid

import pytest
from django.test import Client

from evaluation.rubrics import CriterionSpec, LevelSpec
from evaluation.services.allocation import claim_next
from evaluation.services.ratings import record_ratings
from evaluation.services.studies import close_study
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db


def criteria(*labels: str) -> tuple[CriterionSpec, ...]:
    levels = tuple(LevelSpec(value=label.lower(), label=label) for label in labels)
    return (CriterionSpec(key="clarity", name="Clarity", definition="", levels=levels),)


def test_a_scale_belongs_to_its_study_its_answer_and_its_state() -> None:
    pages = {}
    for labels in (("Murky", "Clear"), ("Opaque", "Limpid")):
        study, (reviewer,) = make_open_study(texts=2, reviewers=1, criteria=criteria(*labels))
        slot = claim_next(study_id=study.pk, reviewer=reviewer).slot
        assert slot is not None
        client = Client()
        client.force_login(reviewer)
        pages[labels] = client.get(f"/texts/{slot}/").content.decode()
        assert "data-stored" not in pages[labels]
    assert "Murky" in pages["Murky", "Clear"]
    assert "Murky" not in pages["Opaque", "Limpid"]
    assert "Limpid" in pages["Opaque", "Limpid"]
    record_ratings(slot_id=slot, reviewer=reviewer, answers={"clarity": 1}, key=uuid.uuid4())
    answered = client.get(f"/texts/{slot}/").content.decode()
    assert answered.count("data-stored") == 1
    assert '<fieldset class="scale" disabled' not in answered
    close_study(study=study)
    assert '<fieldset class="scale" disabled' in client.get(f"/texts/{slot}/").content.decode()
