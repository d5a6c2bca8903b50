"""The researchers' pages, a module of addresses for each part of the work."""

from django.urls import path

from studio import abstracts, batches, corpora, reports, studies, views
from studio.studies import watching

app_name = "studio"
urlpatterns = [
    path("", views.home, name="home"),
    *corpora.urlpatterns,
    *batches.urlpatterns,
    *abstracts.urlpatterns,
    *studies.urlpatterns,
    *watching.urlpatterns,
    *reports.urlpatterns,
]
