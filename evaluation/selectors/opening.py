"""Whether a study's agreement so far may be shown, and who looked at it early.

Whoever sees agreement while ratings come in can stop a study when it pleases them. So it stays hidden until a set part
of the ratings is in, unless somebody opens it, which goes on record and stands in the report ever after.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from evaluation.errors import AgreementHidden
from evaluation.models import Study

__all__ = ["OPENED", "Look", "Opened", "agreement_opened", "require_opened"]

OPENED = "agreement-opened"


@dataclass(frozen=True)
class Look:
    """Somebody opened the agreement of a study under way."""

    at: datetime
    actor: str | None
    percent: int
    rated: int
    seats: int


@dataclass(frozen=True)
class Opened:
    """How many of the planned seats are answered, how many must be, and who looked before that."""

    state: str
    rated: int
    seats: int
    needed: int
    looks: tuple[Look, ...]

    @property
    def percent(self) -> int:
        """Whole percent, rounded down: 100 means all."""
        return 100 * self.rated // self.seats if self.seats else 0

    @property
    def is_shown(self) -> bool:
        return self.state != Study.State.OPEN or self.percent >= self.needed or bool(self.looks)

    @property
    def sentences(self) -> list[str]:
        """What a report and its files say about it; reviewers and researchers stay unnamed."""
        said = [
            f"Agreement was looked at on {look.at:%Y-%m-%d} (UTC) at {look.percent} % coverage, "
            f"{look.rated} of {look.seats} ratings, before the study's own threshold of {self.needed} %."
            for look in self.looks
        ]
        if self.needed < 100:
            said.append(f"The protocol lets agreement be seen from {self.needed} % coverage.")
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "shown_from_percent": self.needed,
            "looks": [
                {
                    "at": f"{look.at:%Y-%m-%dT%H:%M:%S.%fZ}",
                    "percent": look.percent,
                    "rated": look.rated,
                    "seats": look.seats,
                }
                for look in self.looks
            ],
            "statements": self.sentences,
        }


def agreement_opened(*, study: Study) -> Opened:
    """One statement. Answered are seats of rated texts in their first pass, whatever became of their reviewers."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.state, study.agreement_from,
                   (SELECT count(*) FROM evaluation_item item WHERE item.study_id = study.id AND item.kind = 'rated')
                   * study.raters_per_item,
                   (SELECT count(*) FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
                    WHERE item.study_id = study.id AND item.kind = 'rated' AND slot.pass_number = 0
                      AND slot.state = 'rated'),
                   (SELECT jsonb_agg(jsonb_build_array(
                               to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US+00:00'),
                               coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''),
                                        person.username),
                               event.details) ORDER BY event.id)
                    FROM evaluation_event event LEFT JOIN accounts_user person ON person.id = event.actor_id
                    WHERE event.study_id = study.id AND event.kind = %(opened)s)
            FROM evaluation_study study WHERE study.id = %(study)s
            """,
            {"study": study.pk, "opened": OPENED},
        )
        state, needed, seats, rated, looks = cursor.fetchone()
    rows = json.loads(looks) if isinstance(looks, str) else looks or []
    return Opened(
        state,
        rated,
        seats,
        needed,
        tuple(
            Look(datetime.fromisoformat(at), actor, *(details[name] for name in ("percent", "rated", "seats")))
            for at, actor, details in rows
        ),
    )


def require_opened(*, study: Study) -> Opened:
    """The same, or `AgreementHidden` where nobody may see agreement yet."""
    found = agreement_opened(study=study)
    if not found.is_shown:
        raise AgreementHidden(found.percent, found.needed)
    return found
