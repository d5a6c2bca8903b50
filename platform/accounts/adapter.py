from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """People come by invitation or are created by a researcher: nobody registers by themselves."""

    def is_open_for_signup(self, request: HttpRequest) -> Any:
        return False
