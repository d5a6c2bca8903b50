"""A new password for those who have one; invited reviewers are let in by their link alone."""

from allauth.account.views import password_change
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache


@never_cache
def change_password(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated and not request.user.has_usable_password():
        raise PermissionDenied
    response: HttpResponse = password_change(request)
    return response
