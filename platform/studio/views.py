from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from studio.access import researcher_required


@researcher_required
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/home.html", {"section": ""})
