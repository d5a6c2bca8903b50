"""What people change about themselves."""

from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.services.conflicts import find_conflicts

__all__ = ["rename_person", "set_reminders"]


@transaction.atomic
def rename_person(*, user: User, name: str) -> None:
    """The whole name in one piece: not everybody's comes in two. Authors are kept from their own texts by name."""
    user.first_name, user.last_name = name[:150], ""
    user.save(update_fields=["first_name", "last_name"])
    rates = Membership.objects.filter(user=user, role=Membership.Role.REVIEWER, removed_at__isnull=True)
    for member in rates.filter(study__state=Study.State.OPEN).select_related("study"):
        find_conflicts(study=member.study, user=user)


@transaction.atomic
def set_reminders(*, user: User, wanted: Collection[int]) -> None:
    """Let exactly these of the person's studies (by study id) remind by mail."""
    members = Membership.objects.filter(user=user)
    members.filter(study_id__in=wanted).update(takes_reminders=True)
    members.exclude(study_id__in=wanted).update(takes_reminders=False)
