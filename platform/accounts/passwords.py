"""A password is nobody's duty: researchers have one, reviewers may set one once a mailed code can replace it."""

from allauth.account.views import password_change, password_set
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache


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
    """Without an address a forgotten password would shut the person out, since the link then lets nobody in."""
    if request.user.has_usable_password():
        return redirect("account_change_password")
    if not request.user.email:
        messages.info(request, _("Give your e-mail address first: with it you can replace a forgotten password."))
        return redirect("account_email")
    response: HttpResponse = password_set(request)
    return response
