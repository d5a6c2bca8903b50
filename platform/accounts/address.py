"""A new address for a signed-in person: a code is mailed to it, and typed in proves that it is theirs."""

import time
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import AddressCodeForm, AddressForm
from accounts.models import User
from accounts.services import AddressTaken, set_address

KEPT_AS = "address_asked_for"
SECONDS, ATTEMPTS = 15 * 60, 5


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    form = AddressForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if mail_code(request, form.cleaned_data["email"]):
            return redirect("account_confirm_email_code")
        form.add_error("email", str(get_adapter().error_messages["rate_limited"]))
    status = 422 if form.errors else 200
    return render(request, "account/email.html", {"form": form}, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest) -> HttpResponse:
    asked = _asked(request)
    if asked is None:
        return redirect("account_email")
    form = AddressCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if _fits(form.cleaned_data["code"], asked["code"]):
            return _store(request, asked["email"])
        asked["failed"] += 1
        request.session[KEPT_AS] = asked
        if asked["failed"] >= ATTEMPTS:
            del request.session[KEPT_AS]
            messages.error(request, _("That was wrong too often. Ask for a new code."))
            return redirect("account_email")
        form.add_error("code", _("This is not the code. Look into the newest of our mails."))
    context = {"form": form, "address": asked["email"]}
    return render(request, "account/email_code.html", context, status=422 if form.errors else 200)


def mail_code(request: HttpRequest, address: str) -> bool:
    """Mail a code to the address; False when that was asked for too often.

    Whether the address belongs to another account is told to its owner only, by mail.
    """
    if not ratelimit.consume(request, action="mail_code", key=address):
        return False
    adapter = get_adapter()
    is_others = User.objects.filter(email__iexact=address).exclude(pk=request.user.pk).exists()
    code = "" if is_others else str(adapter.generate_email_verification_code())
    request.session[KEPT_AS] = {"email": address, "code": code, "at": time.time(), "failed": 0}
    template = "account/email/address_in_use" if is_others else "account/email/address_code"
    adapter.send_mail(template, address, {"request": request, "code": code})
    return True


def _asked(request: HttpRequest) -> dict[str, Any] | None:
    asked: dict[str, Any] | None = request.session.get(KEPT_AS)
    return asked if asked and time.time() - asked["at"] <= SECONDS else None


def _fits(given: str, code: str) -> bool:
    """Spaces, hyphens and small letters are no mistakes."""
    plain = "".join(given.split()).replace("-", "").upper()
    return bool(code) and constant_time_compare(plain, code.replace("-", "").upper())


def _store(request: HttpRequest, address: str) -> HttpResponse:
    del request.session[KEPT_AS]
    try:
        set_address(user=request.user, address=address)
    except AddressTaken:
        messages.error(request, _("This address could not be stored. Ask for a new code, or take another address."))
        return redirect("account_email")
    messages.success(request, _("Your address is confirmed. A code mailed to it signs you in from now on."))
    return redirect("account")
