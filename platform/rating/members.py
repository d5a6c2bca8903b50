"""The membership by which somebody looks at a study, and how far they are."""

from uuid import UUID

from django.http import Http404, HttpRequest

from evaluation.models import Membership
from evaluation.selectors.rating import reviewer_study
from evaluation.selectors.standing import Standing, reviewer_standing


def membership(request: HttpRequest, study_id: UUID) -> Membership:
    member = reviewer_study(study_id=study_id, reviewer=request.user)
    if member is None:
        raise Http404("No such study")
    return member


def standing_of(member: Membership) -> Standing:
    return reviewer_standing(
        study_id=member.study_id, reviewer=member.user, quota=member.quota, size=member.study.item_count
    )
