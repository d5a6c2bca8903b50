"""People and their part in studies: for themselves, and for who runs a study."""

from uuid import UUID

from django.db.models import Count, Q
from django.db.models.functions import Now

from accounts.models import User
from evaluation.models import Invitation, Membership, Study

__all__ = ["own_links", "own_memberships", "runs_any", "study_people", "study_role"]

STUDIO = (Membership.Role.OWNER, Membership.Role.MANAGER, Membership.Role.VIEWER)


def own_memberships(*, user: User) -> list[Membership]:
    """The studies in which somebody takes part, newest first."""
    members = Membership.objects.filter(user=user, removed_at__isnull=True).select_related("study")
    return list(members.order_by("-pk"))


def own_links(*, user: User) -> list[Invitation]:
    """The personal links that still let somebody in: none once a password, a mailed code or rights are the way in."""
    if user.has_usable_password() or user.is_staff:
        return []
    usable = Invitation.objects.filter(
        user=user, kind=Invitation.Kind.PERSONAL, revoked_at__isnull=True, expires_at__gt=Now()
    )
    return list(usable.select_related("study").order_by("-pk"))


def runs_any(*, user: User) -> bool:
    """Whether somebody has a study to run or to read."""
    return Membership.objects.filter(user=user, role__in=STUDIO, removed_at__isnull=True).exists()


def study_role(*, study_id: UUID, user: User) -> str | None:
    """The role in the study of this public id; None for who takes no part (any more)."""
    members = Membership.objects.filter(study__public_id=study_id, user=user, removed_at__isnull=True)
    return members.values_list("role", flat=True).first()


def study_people(*, study: Study) -> list[Membership]:
    """All who ever took part, owners and managers first; each with the number of texts given to them."""
    order: dict[str, int] = {role: place for place, role in enumerate((*STUDIO, Membership.Role.REVIEWER))}
    own = Q(user__slots__item__study=study)
    members = Membership.objects.filter(study=study).select_related("user", "study")
    found = members.annotate(given=Count("user__slots", filter=own)).order_by("number")
    return sorted(found, key=lambda member: order[member.role])
