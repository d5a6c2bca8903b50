"""Signing in elsewhere (ORCID, OpenID Connect): django-allauth's views, closed where nothing is set up."""

import logging
from collections.abc import Callable
from typing import Any

from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.openid_connect import views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from requests import RequestException

from accounts.services import has_proved_address

logger = logging.getLogger(__name__)


@never_cache
@require_POST
def sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    """On to the provider, by a page of our own: a redirect after a form is no way out under `form-action 'self'`."""
    if request.POST.get("process") == "connect":
        if not request.user.is_authenticated:
            return redirect("account_login")
        if request.user.email and not has_proved_address(request.user):
            # Who came in by another's link must not leave a way behind by which to come again.
            messages.info(request, _("Confirm your e-mail address first."))
            return redirect("account_email")
    response = _answer(request, views.login, provider_id)
    location = response.headers.get("Location", "")
    if not location.startswith(("https://", "http://")):
        return response
    names = {app["provider_id"]: app["name"] for app in _apps()}
    return render(request, "account/go_elsewhere.html", {"location": location, "name": names[provider_id]})


@never_cache
@require_GET
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _answer(request, views.callback, provider_id)


@never_cache
@require_GET
def not_signed_in(request: HttpRequest) -> HttpResponse:
    return render(request, "socialaccount/authentication_error.html", status=200)


@never_cache
@login_required
@require_POST
def disconnect(request: HttpRequest, pk: int) -> HttpResponse:
    found = SocialAccount.objects.filter(pk=pk, user=request.user)
    if not found:
        raise Http404
    is_last_way = not (request.user.email or request.user.has_usable_password())
    if is_last_way and request.user.socialaccount_set.count() == 1:
        messages.error(request, _("Give your e-mail address first: it becomes your way back in."))
    else:
        found.delete()
        messages.success(request, _("The account elsewhere is no longer connected."))
    return redirect("account")


def _apps() -> list[dict[str, Any]]:
    apps: list[dict[str, Any]] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    return apps


def _answer(request: HttpRequest, view: Callable[..., HttpResponse], provider_id: str) -> HttpResponse:
    """A provider that is down, or answers nonsense, is no error of this site."""
    if provider_id not in {app["provider_id"] for app in _apps()}:
        raise Http404("No such provider is set up")
    try:
        return view(request, provider_id)
    except (RequestException, LookupError, TypeError, ValueError):
        logger.exception("signing in by %s failed", provider_id)
        return render(request, "socialaccount/authentication_error.html", status=502)
