from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from evaluation.selectors.watching import studies_with_counts
from studio.access import researcher_required
from studio.whole_numbers import whole_number

PAGE = 20


@require_GET
@researcher_required
def index(request: HttpRequest) -> HttpResponse:
    """Studies, newest first: all of them for researchers, their own for others."""
    before_pk = whole_number(request.GET.get("before"), digits=18)
    archived = request.GET.get("archived") == "1"
    member = None if request.user.is_staff else request.user
    rows = studies_with_counts(before=before_pk, limit=PAGE + 1, member=member, archived=archived)
    context = {
        "section": "studies",
        "studies": rows[:PAGE],
        "older": rows[PAGE - 1]["pk"] if len(rows) > PAGE else None,
        "is_first": before_pk is None,
        "is_archive": archived,
    }
    return render(request, "studio/studies/index.html", context)
