"""The closing question: did reviewers tell texts of people from texts of machines?

A text from a corpus is a person's, a generated abstract a machine's; of uploaded texts nobody knows, so that they are
left out and counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from evaluation.models import Study
from evaluation.science.quality.detection import Detection, detection
from evaluation.selectors.agreement import fetch

__all__ = ["Authorship", "Guesser", "study_authorship"]

TRUTHS = ("person", "machine")
GUESSES = ("person", "machine", "unsure")


@dataclass(frozen=True)
class Guesser:
    """Guesses by truth, and what the definite ones show; `unsure` is in no rate."""

    name: str
    person: UUID | None
    table: dict[str, dict[str, int]]
    found: Detection

    @property
    def n(self) -> int:
        return sum(sum(row.values()) for row in self.table.values())

    @property
    def unsure(self) -> int:
        return sum(row["unsure"] for row in self.table.values())


@dataclass(frozen=True)
class Authorship:
    """All guesses together, each reviewer's own, and what is left out: unknown sources, and removed reviewers."""

    overall: Guesser
    reviewers: tuple[Guesser, ...]
    unknown: int
    of_removed: int
    people_texts: int
    machine_texts: int

    def to_json(self) -> dict[str, Any]:
        """The figures of all guesses together, in the shape of the other reports: null with a reason."""
        found = self.overall.found
        rates = {
            name: {
                "value": rate.value,
                "ci": None if rate.ci is None else list(rate.ci),
                "ci_method": "wilson" if rate.ci else None,
                "n": rate.n,
                "reason": rate.reason,
            }
            for name, rate in (("sensitivity", found.sensitivity), ("specificity", found.specificity))
        }
        return {
            "table": self.overall.table,
            **rates,
            "youden": found.youden,
            "d_prime": found.d_prime,
            "d_prime_se": found.d_prime_se,
            "fisher_p": found.p,
            "reason": found.reason,
            "guesses": self.overall.n,
            "unsure": self.overall.unsure,
            "reviewers": len(self.reviewers),
            "left_out": {"unknown_source": self.unknown, "removed_reviewers": self.of_removed},
        }


def study_authorship(*, study: Study) -> Authorship:
    """Two statements: guesses by reviewer, truth and guess; and the texts there are of each kind."""
    tables: dict[tuple[str, UUID], Counter[tuple[str, str]]] = {}
    unknown = of_removed = 0
    for name, person, truth, guess, removed, count in fetch(GUESSED, study_id=study.pk):
        if removed:
            of_removed += count
        elif truth is None:
            unknown += count
        else:
            tables.setdefault((name, person), Counter())[truth, guess] += count
    everything = sum(tables.values(), Counter[tuple[str, str]]())
    ((people, machines),) = fetch(TEXTS, study_id=study.pk)
    return Authorship(
        overall=_guesser("", None, everything),
        reviewers=tuple(_guesser(name, person, counts) for (name, person), counts in tables.items()),
        unknown=unknown,
        of_removed=of_removed,
        people_texts=people,
        machine_texts=machines,
    )


def _guesser(name: str, person: UUID | None, counts: Counter[tuple[str, str]]) -> Guesser:
    return Guesser(
        name=name,
        person=person,
        table={truth: {guess: counts[truth, guess] for guess in GUESSES} for truth in TRUTHS},
        found=detection(
            hits=counts["person", "person"],
            misses=counts["person", "machine"],
            false_alarms=counts["machine", "person"],
            rejections=counts["machine", "machine"],
        ),
    )


_TRUTH = "CASE WHEN item.document_id IS NOT NULL THEN 'person' WHEN item.abstract_id IS NOT NULL THEN 'machine' END"

GUESSED = f"""
    SELECT coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''), person.username) AS name,
           person.public_id, {_TRUTH} AS truth, guess.guess,
           EXISTS (SELECT FROM evaluation_membership membership
                   WHERE membership.study_id = item.study_id AND membership.user_id = guess.reviewer_id
                     AND membership.removal IN ('exclude', 'reopen')) AS removed,
           count(*)
    FROM evaluation_item item
    JOIN evaluation_authorshipguess guess ON guess.item_id = item.id
    JOIN accounts_user person ON person.id = guess.reviewer_id
    WHERE item.study_id = %(study)s AND item.kind = 'rated'
    GROUP BY person.id, truth, guess.guess, removed, item.study_id
    ORDER BY name, person.id"""  # noqa: S608

TEXTS = """
    SELECT count(*) FILTER (WHERE item.document_id IS NOT NULL), count(*) FILTER (WHERE item.abstract_id IS NOT NULL)
    FROM evaluation_item item WHERE item.study_id = %(study)s AND item.kind = 'rated'"""
