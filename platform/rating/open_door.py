"""Doors for many: a shared link, and a study that anyone may join."""

from collections.abc import Callable
from uuid import UUID

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.address import mail_code
from accounts.json_answers import wants_json
from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.presentation import render_markdown
from evaluation.selectors.consent import lacks_consent
from evaluation.selectors.rating import rubric
from evaluation.services.joining import check_open, join_open_study
from evaluation.services.links import LinkUnusable
from rating.doors import JoinForm, ask, asks_consent, consent_html, let_in, member_of, refuse
from rating.panel import Panel, read_panel, remember, returning


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_study(request: HttpRequest, study_id: UUID) -> HttpResponse:
    """A study that anyone may join: there is no link but its address."""
    study = Study.objects.filter(public_id=study_id).first()
    if study is None:
        raise Http404("No such study")

    def join(**person: object) -> User:
        return join_open_study(study=study, **person)  # type: ignore[arg-type]

    try:
        member = member_of(request, study)
        if member is None:
            check_open(study)
        return open_door(request, study, join)
    except LinkUnusable as refusal:
        return refuse(request, refusal, status=404 if study.state == Study.State.DRAFT else 410)


def open_door(request: HttpRequest, study: Study, join: Callable[..., User]) -> HttpResponse:
    """Look, say who you are, come in; `join` makes the account and the membership."""
    panel = read_panel(request, study)
    if panel.is_preview:
        return _preview(request, study)
    member = member_of(request, study)
    if member is not None and _is_the_same(member, panel):
        if member.role != Membership.Role.REVIEWER or not lacks_consent(member):
            return let_in(request, member.user, study, role=member.role)
        return redirect("consent", study.public_id)
    known = returning(request, study, panel.participant_id) if panel.participant_id else None
    signed_in = request.user if request.user.is_authenticated and not panel.participant_id else None
    asks_name = not (panel.participant_id or signed_in)
    form = JoinForm(
        request.POST if request.method == "POST" else None,
        asks_name=asks_name,
        asks_consent=known is None and asks_consent(study, member),
    )
    if request.method == "POST" and form.is_valid():
        if limited := ratelimit.consume_or_429(request, action="register"):
            return limited
        return _come_in(request, study, join, form, panel, known=known, signed_in=signed_in)
    context = {
        "study": study,
        "panel": panel,
        "signed_in": signed_in,
        "is_other": request.user.is_authenticated and signed_in is None,
        "consent": consent_html(study) if "consent" in form.fields else "",
        "back": request.get_full_path(),
    }
    return ask(request, "rating/open_door.html", context, form)


def _come_in(
    request: HttpRequest,
    study: Study,
    join: Callable[..., User],
    form: JoinForm,
    panel: Panel,
    *,
    known: User | None,
    signed_in: User | None,
) -> HttpResponse:
    said = form.cleaned_data
    user = known or join(
        name=said.get("name", ""),
        signed_in=signed_in,
        participant_id=panel.participant_id,
        consents=bool(said.get("consent")),
    )
    response = let_in(request, user, study)
    if panel.participant_id:
        remember(response, study, user, panel.participant_id)
    elif address := said.get("email", "").lower():
        mail_code(request, address)
        text = _("We mailed a code to %(address)s. Type it in on your account page, and you can come back by mail.")
        messages.info(request, text % {"address": address})
    elif signed_in is None and not wants_json(request):
        messages.info(request, _("Your way back into this study stands on your account page: keep that link."))
    return response


def _is_the_same(member: Membership, panel: Panel) -> bool:
    if panel.participant_id and member.participant_id and member.participant_id != panel.participant_id:
        return False
    return not panel.participant_id or member.participant_id == panel.participant_id


def _preview(request: HttpRequest, study: Study) -> HttpResponse:
    """What a panel shows to those who have not accepted yet: the instructions, and no way in."""
    context = {
        "study": study,
        "instructions": render_markdown(study.instructions),
        "criteria": rubric(study_id=study.pk, frozen_sha256=study.frozen_sha256),
    }
    return render(request, "rating/panel_preview.html", context)
