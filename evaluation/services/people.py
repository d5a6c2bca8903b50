"""What people change about themselves."""

from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from evaluation.models import Membership

__all__ = ["rename_person", "set_reminders"]


@transaction.atomic
def rename_person(*, user: User, name: str) -> None:
    """The whole name in one piece: not everybody's comes in two."""
    User.objects.filter(pk=user.pk, erased_at__isnull=True).update(first_name=name[:150], last_name="")


@transaction.atomic
def set_reminders(*, user: User, wanted: Collection[int]) -> None:
    """Let exactly these of the person's studies (by study id) remind by mail."""
    members = Membership.objects.filter(user=user)
    members.filter(study_id__in=wanted).update(takes_reminders=True)
    members.exclude(study_id__in=wanted).update(takes_reminders=False)
