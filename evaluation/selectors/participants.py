"""Who came from a panel, and how far they are: what a researcher pays by."""

from typing import Any

from django.db.models import Count, Q

from evaluation.models import Item, Membership, Slot, Study

__all__ = ["panel_rows"]


def panel_rows(*, study: Study) -> list[dict[str, Any]]:
    """A row for each member who came under a panel's id, by the order in which they came: one statement."""
    answered = Q(
        user__slots__item__study=study,
        user__slots__item__kind=Item.Kind.RATED,
        user__slots__pass_number=0,
        user__slots__state__in=[Slot.State.RATED, Slot.State.SURPLUS],
    )
    members = Membership.objects.filter(study=study, role=Membership.Role.REVIEWER).exclude(participant_id="")
    rows = members.annotate(answered=Count("user__slots", filter=answered)).order_by("number")
    names = ("participant_id", "answered", "quota", "joined_at", "finished_at", "removed_at")
    return [row | {"of": row["quota"] or study.item_count} for row in rows.values(*names)]
