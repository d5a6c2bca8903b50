"""Signing in from within a page: the same views, answering in JSON where a script asks for that."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.translation import gettext as _

View = Callable[..., HttpResponse]


def wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def signed_in(request: HttpRequest, *, location: str) -> JsonResponse:
    """Who came in, and the new CSRF token, without which the page's next request would be refused."""
    user = str(request.user.public_id)
    return JsonResponse({"signed_in": True, "user": user, "csrf_token": get_token(request), "location": location})


def answers_json(view: View) -> View:
    """`{signed_in, user, csrf_token, location}`, or `{signed_in: false, csrf_token, step | errors}`.

    `step` is "code" when a code was mailed and is to be sent to the address `location`.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not wants_json(request):
            return view(request, *args, **kwargs)
        response = view(request, *args, **kwargs)
        location = response.headers.get("Location", "")
        if request.user.is_authenticated:
            return signed_in(request, location=location or reverse("home"))
        state = {"signed_in": False, "csrf_token": get_token(request)}
        if isinstance(response, HttpResponseRedirect):
            step = "code" if location.startswith(reverse("account_confirm_login_code")) else "start"
            return JsonResponse(state | {"step": step, "location": location}, status=200 if step == "code" else 409)
        if response.status_code == 429:
            errors = [_("Too many attempts. Wait a minute, then try again.")]
            return JsonResponse(state | {"errors": errors}, status=429)
        form = (getattr(response, "context_data", None) or {}).get("form")
        if form is not None and form.errors:
            errors = [str(error) for found in form.errors.values() for error in found]
            return JsonResponse(state | {"errors": errors}, status=422)
        if response.status_code >= 400:
            return JsonResponse(state | {"errors": [_("This was refused. Reload the page.")]}, status=400)
        return JsonResponse(state)

    return answered
