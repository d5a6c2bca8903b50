"""The membership by which somebody looks at a study, and how far they are."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from evaluation.models import Membership
from evaluation.selectors.rating import reviewer_study
from evaluation.selectors.standing import Standing, has_left, reviewer_standing


def membership(request: HttpRequest, study_id: UUID) -> Membership:
    member = reviewer_study(study_id=study_id, reviewer=request.user)
    if member is None:
        say_goodbye(request, study_id=study_id)
        raise Http404("No such study")
    return member


def say_goodbye(request: HttpRequest, *, study_id: UUID | None = None, slot_id: UUID | None = None) -> None:
    """Tell somebody who was withdrawn so, where strangers would be told that nothing is there."""
    if has_left(reviewer=request.user, study_id=study_id, slot_id=slot_id):
        raise PermissionDenied(
            _("You no longer take part in this study. What you answered is kept. Thank you for your work.")
        )


def standing_of(member: Membership) -> Standing:
    return reviewer_standing(
        study_id=member.study_id, reviewer=member.user, quota=member.quota, size=member.study.item_count
    )
