"""What a researcher watches: which texts are covered, who has rated how many, which links are out."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Max, Q, QuerySet

from accounts.models import User
from evaluation.models import Invitation, Item, Membership, Slot, Study

__all__ = [
    "Coverage",
    "coverage",
    "item_rows",
    "reviewer_rows",
    "studies_with_counts",
    "study_invitations",
]


@dataclass(frozen=True)
class Coverage:
    """Seats of a study by what became of them, and texts by how many ratings they have."""

    seats: int
    rated: int
    in_hand: int
    skipped: int
    expired: int
    surplus: int
    by_ratings: tuple[tuple[int, int], ...]

    @property
    def open(self) -> int:
        return self.seats - self.rated - self.in_hand


def studies_with_counts(
    *, before: int | None = None, limit: int = 20, member: User | None = None, archived: bool = False
) -> list[dict[str, Any]]:
    """Studies, or the archived ones, newest first, with texts, reviewers and ratings; for a `member` their own."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT study.id, study.public_id, study.title, study.state, study.raters_per_item, study.created_at,
                   (SELECT count(*) FROM evaluation_item item WHERE item.study_id = study.id AND item.kind = 'rated'),
                   (SELECT count(*) FROM evaluation_membership member
                    WHERE member.study_id = study.id AND member.role = 'reviewer' AND member.removed_at IS NULL),
                   (SELECT count(*) FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
                    WHERE item.study_id = study.id AND item.kind = 'rated'
                      AND slot.pass_number = 0 AND slot.state = 'rated')
            FROM evaluation_study study
            WHERE (%(before)s::bigint IS NULL OR study.id < %(before)s)
              AND (study.archived_at IS NOT NULL) = %(archived)s
              AND (%(member)s::bigint IS NULL OR EXISTS (
                   SELECT FROM evaluation_membership part WHERE part.study_id = study.id AND part.user_id = %(member)s
                     AND part.role <> 'reviewer' AND part.removed_at IS NULL))
            ORDER BY study.id DESC LIMIT %(limit)s
            """,
            {"before": before, "limit": limit, "member": member.pk if member else None, "archived": archived},
        )
        names = ("pk", "public_id", "title", "state", "raters_per_item", "created_at", "texts", "reviewers", "rated")
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return [row | {"seats": row["texts"] * row["raters_per_item"]} for row in rows]


def coverage(*, study: Study) -> Coverage:
    """Two statements: slots by state, and texts by their number of ratings."""
    slots = Slot.objects.filter(item__study=study, item__kind=Item.Kind.RATED, pass_number=0)
    states = dict(slots.values_list("state").annotate(count=Count("pk")).values_list("state", "count"))
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT ratings, count(*) FROM (
                SELECT item.id, count(slot.id) AS ratings FROM evaluation_item item
                LEFT JOIN evaluation_slot slot
                  ON slot.item_id = item.id AND slot.state = 'rated' AND slot.pass_number = 0
                WHERE item.study_id = %s AND item.kind = 'rated' GROUP BY item.id) AS counted
            GROUP BY ratings ORDER BY ratings
            """,
            [study.pk],
        )
        by_ratings = tuple(cursor.fetchall())
    texts = sum(number for _, number in by_ratings)
    return Coverage(
        seats=texts * study.raters_per_item,
        rated=states.get("rated", 0),
        in_hand=states.get("claimed", 0),
        skipped=states.get("skipped", 0),
        expired=states.get("expired", 0),
        surplus=states.get("surplus", 0),
        by_ratings=by_ratings,
    )


def reviewer_rows(*, study: Study) -> list[Membership]:
    """The study's reviewers with their own counts, without practice, attention checks and hidden repeats."""
    slot = "user__slots"
    own = Q(**{f"{slot}__item__study": study})
    counts = own & Q(**{f"{slot}__item__kind": Item.Kind.RATED, f"{slot}__pass_number": 0})
    members = Membership.objects.filter(study=study, role=Membership.Role.REVIEWER).select_related("user")
    return list(
        members.annotate(
            answered=Count(slot, filter=counts & Q(**{f"{slot}__state__in": ["rated", "surplus"]})),
            in_hand=Count(slot, filter=counts & Q(**{f"{slot}__state": "claimed"})),
            skipped=Count(slot, filter=counts & Q(**{f"{slot}__state": "skipped"})),
            last_answer=Max(f"{slot}__answered_at", filter=own),
        ).order_by("pk")
    )


def item_rows(*, study: Study, after: int = 0, limit: int = 25) -> list[Item]:
    """Texts of every kind by position, each with its number of ratings; `after` is the page before's last position."""
    rated = Count("slots", filter=Q(slots__state=Slot.State.RATED, slots__pass_number=0))
    items = Item.objects.filter(study=study, position__gt=after).select_related("text")
    return list(items.annotate(ratings=rated).order_by("position")[:limit])


def study_invitations(*, study: Study) -> QuerySet[Invitation]:
    return Invitation.objects.filter(study=study).select_related("study", "user").order_by("pk")
