"""The addresses at which a study is watched: progress, quality, disagreements to settle, the closing question."""

from django.urls import path

from studio.studies import adjudication, authorship, progress, quality

__all__ = ["urlpatterns"]

urlpatterns = [
    path("studies/<uuid:public_id>/progress/", progress.progress, name="study_progress"),
    path("studies/<uuid:public_id>/progress/remind/", progress.remind, name="study_remind"),
    path("studies/<uuid:public_id>/quality/", quality.quality, name="study_quality"),
    path("studies/<uuid:public_id>/quality.csv", quality.quality_csv, name="study_quality_csv"),
    path("studies/<uuid:public_id>/adjudication/", adjudication.queue, name="study_adjudication"),
    path("studies/<uuid:public_id>/adjudication/<uuid:item_id>/", adjudication.settle, name="study_adjudicate"),
    path("studies/<uuid:public_id>/authorship/", authorship.authorship, name="study_authorship"),
]
