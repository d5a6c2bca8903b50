"""The way in by an invitation link: looking is free, the confirmation signs in."""

from functools import partial

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.json_answers import wants_json
from evaluation.models import Invitation, Membership
from evaluation.selectors.invitations import invitation_of_token
from evaluation.services.joining import accept_invitation, accept_shared
from evaluation.services.links import LinkUnusable, SignInFirst, check_usable
from rating.doors import JoinForm, ask, asks_consent, consent_html, let_in, member_of, refuse
from rating.open_door import open_door
from rating.panel import read_panel

CUT = gettext_lazy(
    "This link is incomplete, or a newer one has replaced it. Copy it whole, or ask whoever invited you for it again."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    if limited := ratelimit.consume_or_429(request, action="join"):
        return limited
    invitation = invitation_of_token(token)
    if invitation is None:
        return refuse(request, str(CUT), status=404)
    try:
        check_usable(invitation)
        if invitation.kind == Invitation.Kind.SHARED:
            return open_door(request, invitation.study, partial(accept_shared, invitation=invitation))
        return _personal(request, invitation)
    except LinkUnusable as refusal:
        return refuse(request, refusal)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest) -> HttpResponse:
    """Where `/join/` alone leads: a field for the link, of which mail programs like to cut off the rest."""
    pasted = request.POST.get("link", "").strip()
    if pasted:
        path = "/" + pasted.partition("/join/")[2] if "/join/" in pasted else f"/{pasted}"
        path = f"/join{path.split('?')[0].split('#')[0].rstrip('/')}/"
        try:
            found = resolve(path)
        except Resolver404:
            found = None
        if found and found.url_name in {"join", "join_study"}:
            if wants_json(request) and found.url_name == "join":
                return join(request, **found.kwargs)
            return redirect(path)
        if wants_json(request):
            return refuse(request, str(CUT), status=404)
    context = {"pasted": pasted[:500], "refusal": str(CUT) if pasted else ""}
    return render(request, "rating/paste.html", context, status=404 if pasted else 200)


def _personal(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    study = invitation.study
    panel = read_panel(request, study)
    is_theirs = request.user.is_authenticated and request.user.pk == invitation.user_id
    if invitation.kind == Invitation.Kind.ONCE and invitation.accepted_at is not None and not is_theirs:
        raise SignInFirst(_("This link works once, and was used. Sign in to come back."))
    member = member_of(request, study) if is_theirs else _member_behind(invitation)
    asks = invitation.role == Membership.Role.REVIEWER and asks_consent(study, member)
    form = JoinForm(request.POST if request.method == "POST" else None, asks_name=False, asks_consent=asks)
    if request.method == "POST" and form.is_valid():
        user = accept_invitation(
            invitation=invitation,
            signed_in=request.user if request.user.is_authenticated else None,
            participant_id=panel.participant_id,
            consents=bool(form.cleaned_data.get("consent")),
        )
        return let_in(request, user, study, role=invitation.role)
    context = {
        "invitation": invitation,
        "study": study,
        "is_other": request.user.is_authenticated and not is_theirs,
        "is_for_studio": invitation.role != Membership.Role.REVIEWER,
        "consent": consent_html(study) if asks else "",
    }
    return ask(request, "rating/join.html", context, form)


def _member_behind(invitation: Invitation) -> Membership | None:
    if invitation.user_id is None:
        return None
    return Membership.objects.filter(study=invitation.study, user=invitation.user_id).select_related("study").first()
