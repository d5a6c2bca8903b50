from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from studio.access import researcher_required
from studio.overview import overview


@require_GET
@researcher_required
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/home.html", {"section": "", "overview": overview()})
