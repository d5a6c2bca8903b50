"""What all ways into a study have in common: the answers, in HTML or JSON, and the forms."""

from typing import Any

from django import forms
from django.contrib.auth import HASH_SESSION_KEY, login, update_session_auth_hash
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.json_answers import signed_in, wants_json
from accounts.models import User
from evaluation.models import Membership, Study
from evaluation.presentation import render_markdown
from evaluation.selectors.consent import lacks_consent
from evaluation.services.links import LinkUnusable, SignInFirst

BACKEND = "accounts.backends.AuthenticationBackend"


class JoinForm(forms.Form):
    """Only what is asked of this person stands in the form."""

    name = forms.CharField(max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = forms.EmailField(max_length=254, required=False, widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    consent = forms.BooleanField()

    def __init__(self, *args: Any, asks_name: bool, asks_consent: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["consent"].error_messages["required"] = _("Without your consent you cannot take part.")
        if not asks_name:
            del self.fields["name"], self.fields["email"]
        if not asks_consent:
            del self.fields["consent"]

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def member_of(request: HttpRequest, study: Study) -> Membership | None:
    """The signed-in person's membership, if they take part."""
    if not request.user.is_authenticated:
        return None
    members = Membership.objects.filter(study=study, user=request.user, removed_at__isnull=True)
    return members.select_related("study", "user").first()


def asks_consent(study: Study, member: Membership | None) -> bool:
    return bool(study.consent) if member is None else lacks_consent(member)


def consent_html(study: Study) -> str:
    return render_markdown(study.consent) if study.consent else ""


def let_in(request: HttpRequest, user: User, study: Study, *, role: str = Membership.Role.REVIEWER) -> HttpResponse:
    """Sign the person in, and on to the study."""
    if request.user.pk != user.pk:
        login(request, user, backend=BACKEND)
    elif request.session.get(HASH_SESSION_KEY) != user.get_session_auth_hash():
        update_session_auth_hash(request, user)  # joining another study ended all sessions but this one
    name = "study" if role == Membership.Role.REVIEWER else "studio:study"
    location = reverse(name, args=[study.public_id])
    return signed_in(request, location=location) if wants_json(request) else redirect(location)


def ask(request: HttpRequest, template: str, context: dict[str, Any], form: forms.Form) -> HttpResponse:
    """The page before the door, with what was refused."""
    if wants_json(request):
        errors = [str(error) for found in form.errors.values() for error in found]
        study: Study = context["study"]
        told = {"study": study.title, "asks": list(form.fields), "csrf_token": get_token(request)}
        return JsonResponse({"signed_in": False, "errors": errors} | told, status=422 if errors else 200)
    return render(request, template, context | {"form": form}, status=422 if form.errors else 200)


def refuse(request: HttpRequest, refusal: LinkUnusable | str, *, status: int = 410) -> HttpResponse:
    is_shut = isinstance(refusal, SignInFirst)
    if wants_json(request):
        told = {"signed_in": False, "errors": [str(refusal)], "sign_in": is_shut, "csrf_token": get_token(request)}
        return JsonResponse(told, status=status)
    context = {"refusal": str(refusal), "sign_in": is_shut, "back": request.get_full_path()}
    return render(request, "rating/link_unusable.html", context, status=status)
