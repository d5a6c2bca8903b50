"""People who come from a panel (Prolific, MTurk and the like), whose links name the participant.

A participant id is no secret: other participants and whoever sees an address may know it. So the id alone lets nobody
into a seat that is taken. Who comes back must be signed in as that person still, or bring the signed cookie that the
first visit left in the browser.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.services.links import LinkUnusable

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"  # what MTurk sends to those who only look
LONGEST = 200
KEPT = timedelta(days=90)
SALT = "rating.panel"


@dataclass(frozen=True)
class Panel:
    """How the link that was opened names its participant: with "" not at all."""

    participant_id: str = ""
    is_preview: bool = False


def read_panel(request: HttpRequest, study: Study) -> Panel:
    if request.GET.get("assignmentId") == PREVIEW:
        return Panel(is_preview=True)
    given = request.GET.get(study.participant_parameter, "").strip()
    if "{{" in given or "${" in given:
        raise LinkUnusable(
            _("The panel did not fill your participant id into this link. Open it from the panel’s page.")
        )
    if len(given) > LONGEST or not given.isprintable():
        raise LinkUnusable(_("This participant id cannot be read. Open the study from the panel’s page again."))
    return Panel(given)


def returning(request: HttpRequest, study: Study, participant_id: str) -> User | None:
    """Who took part under this id before, if this browser is theirs; None when nobody did."""
    member = Membership.objects.filter(study=study, participant_id=participant_id).select_related("user").first()
    if member is None:
        return None
    user: User = member.user
    if user != request.user and _cookie(request, study) != (str(user.public_id), participant_id):
        raise LinkUnusable(
            _(
                "Somebody began under this participant id in another browser. Please go on there; or sign in here, "
                "if you gave an e-mail address."
            )
        )
    return user


def remember(response: HttpResponse, study: Study, user: User, participant_id: str) -> None:
    """Leave the sign by which this browser is known again."""
    response.set_signed_cookie(
        _name(study),
        f"{user.public_id}:{participant_id}",
        salt=SALT,
        max_age=KEPT,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _cookie(request: HttpRequest, study: Study) -> tuple[str, str]:
    value = request.get_signed_cookie(_name(study), default="", salt=SALT, max_age=KEPT)
    public_id, _colon, participant_id = (value or "").partition(":")
    return public_id, participant_id


def _name(study: Study) -> str:
    public_id: UUID = study.public_id
    return f"panel-{public_id.hex}"
