"""The researchers' pages, a module of addresses for each part of the work."""

from django.urls import path

from studio import batches, corpora, studies, views

app_name = "studio"
urlpatterns = [
    path("", views.home, name="home"),
    *corpora.urlpatterns,
    *batches.urlpatterns,
    *studies.urlpatterns,
]
