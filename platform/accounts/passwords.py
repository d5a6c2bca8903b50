"""A password is nobody's duty: researchers have one, reviewers may set one once a mailed code can replace it."""

from allauth.account.views import password_change, password_set
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.services import has_proved_address


@never_cache
@login_required
def change_password(request: HttpRequest) -> HttpResponse:
    if not request.user.has_usable_password():
        return redirect("account_set_password")
    response: HttpResponse = password_change(request)
    return response


@never_cache
@login_required
def set_password(request: HttpRequest) -> HttpResponse:
    """Only with a proved address: a forgotten password can then be replaced, and nobody who came in by another's link
    leaves a password behind with which to come again."""
    if request.user.has_usable_password():
        return redirect("account_change_password")
    if not has_proved_address(request.user):
        messages.info(request, _("Confirm your e-mail address first: with it you can replace a forgotten password."))
        return redirect("account_email")
    response: HttpResponse = password_set(request)
    return response
