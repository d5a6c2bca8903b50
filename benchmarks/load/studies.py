"""Studies and reviewers for the benchmark, made by the product's own services; needs Django set up."""

import random
from collections.abc import Iterator

from django.db import connection
from django.test import Client

from benchmarks.load.client import Reviewer
from evaluation.invitees import Invitee
from evaluation.models import Criterion, Study
from evaluation.services.invitations import accept_invitation, invite
from evaluation.services.items import add_items_from_rows
from evaluation.services.studies import create_study, launch_study
from evaluation.uploads import TextRow

__all__ = ["make_bare_table", "make_study", "reviewers"]

WORDS = [
    "tailings",
    "flotation",
    "slurry",
    "process",
    "recovery",
    "particle",
    "water",
    "surface",
    "reagent",
    "model",
    "method",
    "result",
    "concentration",
    "mineral",
    "grade",
    "thickener",
    "settling",
    "measured",
    "increases",
    "suggests",
    "under",
    "between",
    "with",
    "from",
    "the",
    "of",
    "and",
    "for",
    "by",
    "an",
    "in",
    "plant",
    "bench",
    "experiments",
    "copper",
    "energy",
    "rate",
    "distribution",
    "residence",
    "column",
    "cell",
    "bubble",
    "froth",
]
QUESTIONS = tuple(f"How does the size of particles change recovery in circuit {number}?" for number in range(1, 9))


def make_bare_table() -> None:
    """Where the bare view inserts."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE benchmark_bare (id bigserial PRIMARY KEY, person bigint NOT NULL, key text NOT NULL)"
        )


def make_study(*, title: str, items: int, raters: int) -> Study:
    """A launched study of synthetic abstracts of about 200 words, on the two criteria that a new study begins with."""
    study = create_study(title=title, raters_per_item=raters, order_seed=7)
    assert Criterion.objects.filter(study=study).exists()
    add_items_from_rows(study=study, rows=list(_rows(items)))
    return launch_study(study=study)


def reviewers(*, study: Study, count: int) -> list[Reviewer]:
    """Invited, come and signed in."""
    people = [Invitee(f"Reviewer {number}") for number in range(1, count + 1)]
    found = []
    for invitation in invite(study=study, people=people):
        browser = Client()
        browser.force_login(accept_invitation(invitation=invitation))
        found.append(Reviewer(invitation.name, browser.cookies["sessionid"].value, study.public_id))
    return found


def _rows(count: int) -> Iterator[TextRow]:
    generator = random.Random(11)  # noqa: S311
    for number in range(1, count + 1):
        sentences = [" ".join(generator.choices(WORDS, k=20)).capitalize() for _ in range(10)]
        yield TextRow(f"text-{number}", QUESTIONS[number % len(QUESTIONS)], f"Text {number}. {'. '.join(sentences)}.")
