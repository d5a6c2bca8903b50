"""Liveness (the process answers) and readiness (its database and broker answer too)."""

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse


def live(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def ready(request: HttpRequest) -> JsonResponse:
    checks = {
        "database": _answers(connection.ensure_connection),
        "broker": _answers(lambda: cache.get("health")),
    }
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


def _answers(probe: object) -> bool:
    try:
        probe()  # type: ignore[operator]
    except Exception:  # whatever is wrong with it, it does not answer
        return False
    return True
