"""The providers that are set up, for the pages that offer them."""

from typing import Any

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def providers() -> list[dict[str, Any]]:
    apps: list[dict[str, Any]] = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    return apps
