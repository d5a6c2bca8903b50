"""The product's application, as production serves it, with one address more: a view that only inserts one row.

It stands behind the same middleware, session and sign-in as the rating page, on the same workers, and so tells how much
of a rating's time is the framework's and the machine's.
"""

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import get_resolver, path

from config.wsgi import application

__all__ = ["application", "insert"]


def insert(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return JsonResponse({"saved": False}, status=401)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO benchmark_bare (person, key) VALUES (%s, %s)", [request.user.pk, request.POST.get("key", "")]
        )
    return JsonResponse({"saved": True})


get_resolver().url_patterns.append(path("bare/", insert))
