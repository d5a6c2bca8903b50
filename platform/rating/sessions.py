"""Who is signed in, for a page whose session may have ended."""

from django.http import HttpRequest, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def session(request: HttpRequest) -> JsonResponse:
    """The public id of whoever is signed in, or null; and a token for the next form, whose cookie comes along."""
    person = str(request.user.public_id) if request.user.is_authenticated else None
    return JsonResponse({"person": person, "token": get_token(request)})
