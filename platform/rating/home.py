from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from evaluation.selectors.people import runs_any
from evaluation.selectors.rating import reviewer_memberships


@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """A reviewer's studies, and for strangers how to come in."""
    studies = reviewer_memberships(reviewer=request.user) if request.user.is_authenticated else []
    runs = request.user.is_authenticated and runs_any(user=request.user)
    return render(request, "rating/home.html", {"studies": studies, "runs_studies": runs})
