from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from studio.access import researcher_required


@researcher_required
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/corpora/index.html", {"section": "corpora"})


urlpatterns = [path("corpora/", index, name="corpora")]
