from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """People come by invitation or are created by a researcher: nobody registers by themselves."""

    error_messages = DefaultAccountAdapter.error_messages | {
        # The longer of the two limits named in ACCOUNT_RATE_LIMITS.
        "too_many_login_attempts": "Too many failed attempts. Wait 5 minutes, then try again.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> Any:
        return False
