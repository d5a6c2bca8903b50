"""What stands in place of a report whose figures may not be seen yet."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.selectors.opening import agreement_opened

__all__ = ["hidden", "may_open_agreement"]


def hidden(request: HttpRequest, study: Study, *, tab: str = "report") -> HttpResponse:
    """How far the ratings are, and for who may, the way to open agreement early."""
    context = {
        "section": "studies",
        "study": study,
        "tab": tab,
        "opened": agreement_opened(study=study),
        "may_open": isinstance(request.user, User) and may_open_agreement(request.user, study),
    }
    response = render(request, "studio/reports/hidden.html", context)
    response["Vary"] = "HX-Request, HX-Target"
    return response


def may_open_agreement(user: User, study: Study) -> bool:
    """Its owners, and staff."""
    return (
        user.is_staff
        or Membership.objects.filter(
            study=study, user=user, role=Membership.Role.OWNER, removed_at__isnull=True
        ).exists()
    )
