"""Who may use the studio: researchers all of it; who has a part in a study, what the rule of its pages says.

Researchers are the staff of the installation. Other people come in by their role in one study: owners and managers run
it, viewers read its page and its report, reviewers see nothing here. Strangers meet the sign-in page, all others a
plain 403, whether the study exists or not.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from evaluation.models import Membership
from evaluation.selectors.people import runs_any, study_role

View = Callable[..., HttpResponse]
Role = Membership.Role

OWN = frozenset({Role.OWNER})
RUN = OWN | {Role.MANAGER}
READ = RUN | {Role.VIEWER}

# Who besides researchers may open the pages of a study, by the name of their address. A page that stands here under
# no name is for researchers only.
STUDY_PAGES: Mapping[str, frozenset[Role]] = MappingProxyType(
    {
        "study": READ,
        "study_report": READ,
        "study_correlations": READ,
        "study_report_open": OWN,
        "study_progress": READ,
        "study_authorship": READ,
        "study_quality": RUN,
        "study_quality_csv": RUN,
        "study_adjudication": RUN,
        "study_adjudicate": RUN,
        "study_remind": RUN,
        "study_edit": RUN,
        "study_settings": RUN,
        "study_preview": RUN,
        "study_add": RUN,
        "study_action": RUN,
        "study_invite": RUN,
        "study_invitation": RUN,
        "study_people": RUN,
        "study_links": RUN,
        "study_participants": RUN,
        "study_member": RUN,
        "study_withdrawal": RUN,
        "study_balance": RUN,
        "study_conflicts": RUN,
        "study_exports": RUN,
        "study_export_download": RUN,
    }
)
# The list of studies shows everybody their own.
SHARED_PAGES = frozenset({"studies"})


def researcher_required(view: View) -> View:
    """Let in whom the rules above name; templates find `request.may_run` and `request.may_own`."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        role = role_of(request, kwargs)
        if role is None:
            raise PermissionDenied
        request.may_run = role in RUN  # type: ignore[attr-defined]
        request.may_own = role in OWN  # type: ignore[attr-defined]
        return view(request, *args, **kwargs)

    return guarded


def role_of(request: HttpRequest, arguments: Mapping[str, Any]) -> str | None:
    """The role in which somebody opens the page: researchers come as owners; None for who may not."""
    if request.user.is_staff or request.user.is_superuser:
        return Role.OWNER
    match = request.resolver_match
    name = match.url_name if match and match.app_name == "studio" else None
    if name in SHARED_PAGES:
        return Role.VIEWER if runs_any(user=request.user) else None
    allowed = STUDY_PAGES.get(name or "")
    if not allowed:
        return None
    role = study_role(study_id=arguments["public_id"], user=request.user)
    return role if role in allowed else None
