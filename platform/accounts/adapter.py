"""How django-allauth behaves here: nobody registers, failing mail is no disaster, a mailed code proves an address."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.services import AddressTaken, set_address

logger = logging.getLogger(__name__)


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """People come by invitation, join an open study, or are made by a researcher: there is no sign-up page."""

    error_messages = DefaultAccountAdapter.error_messages | {
        # The longer of the two limits named in ACCOUNT_RATE_LIMITS.
        "too_many_login_attempts": gettext_lazy("Too many failed attempts. Wait 5 minutes, then try again."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a minute, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> Any:
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        """Answers in JSON are our own (`accounts.json_answers`)."""
        return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is away is said and logged; the page goes on."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # all of smtplib's errors too
            logger.exception("a mail about %s could not be sent", template_prefix)
            if request := context.get("request") or getattr(self, "request", None):
                text = _("The mail server did not take our mail. Please try again in a few minutes.")
                messages.error(request, text)

    def post_login(self, request: HttpRequest, user: Any, **details: Any) -> HttpResponse:
        """A code that was mailed and typed in proves that the address is the person's."""
        records = get_authentication_records(request, user)
        if records and records[-1]["method"] in {"code", "password_reset"} and details.get("email"):
            try:
                set_address(user=user, address=details["email"])
            except AddressTaken:
                logger.warning("user %s proved an address that another account has proved before", user.pk)
        response: HttpResponse = super().post_login(request, user, **details)
        return response
