"""A person's own page: name, address, password, ways to sign in, reminders, everything stored, and its deletion."""

from typing import Any

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from evaluation.errors import StudyError
from evaluation.selectors.own_data import own_data
from evaluation.selectors.people import own_links, own_memberships
from evaluation.services.erasure import erase_person
from evaluation.services.links import invitation_url
from evaluation.services.people import rename_person, set_reminders


class NameForm(forms.Form):
    name = forms.CharField(max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"}))

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


class DeletionForm(forms.Form):
    redacts_comments = forms.BooleanField(required=False, initial=True)
    is_sure = forms.BooleanField(
        error_messages={"required": gettext_lazy("Tick the box: what is deleted cannot be brought back.")}
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """The page; a POST changes the name."""
    form = NameForm(request.POST or None, initial={"name": request.user.get_full_name()})
    if request.method == "POST" and form.is_valid():
        rename_person(user=request.user, name=form.cleaned_data["name"])
        messages.success(request, _("Your name is changed."))
        return redirect("account")
    return render(request, "account/account.html", _context(request, form), status=422 if form.errors else 200)


@never_cache
@login_required
@require_POST
def reminders(request: HttpRequest) -> HttpResponse:
    """Which studies may remind by mail."""
    wanted = {int(value) for value in request.POST.getlist("reminders") if value.isascii() and value[:18].isdecimal()}
    set_reminders(user=request.user, wanted=wanted)
    messages.success(request, _("Saved."))
    return redirect("account")


@never_cache
@login_required
@require_POST
def data(request: HttpRequest) -> HttpResponse:
    """Everything stored about the person, as a file."""
    if not ratelimit.consume(request, action="own_data"):
        return render(request, "429.html", status=429)
    response = JsonResponse(
        own_data(user=request.user),
        encoder=DjangoJSONEncoder,
        json_dumps_params={"ensure_ascii": False, "indent": 2},
    )
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Ask, then erase and sign out."""
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            erase_person(user=request.user, actor=request.user, redacts_comments=form.cleaned_data["redacts_comments"])
        except StudyError as refusal:
            form.add_error(None, str(refusal))
        else:
            logout(request)
            messages.success(request, _("Your personal data are deleted. Thank you for your ratings."))
            return redirect("home")
    context = {"form": form, "memberships": own_memberships(user=request.user)}
    return render(request, "account/delete.html", context, status=422 if form.errors else 200)


def _context(request: HttpRequest, form: NameForm) -> dict[str, Any]:
    connected = list(request.user.socialaccount_set.all())
    apps = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    names = {app["provider_id"]: app["name"] for app in apps}
    taken = {one.provider for one in connected}
    return {
        "form": form,
        "memberships": [one for one in own_memberships(user=request.user) if one.role == "reviewer"],
        "links": [(one, invitation_url(one)) for one in own_links(user=request.user)],
        "connected": [(one, names.get(one.provider, one.provider)) for one in connected],
        "connectable": [(key, name) for key, name in names.items() if key not in taken],
        "languages": settings.LANGUAGES,
    }
