"""Batches of generated abstracts: design, launch, watch, read."""

from django.urls import path

from studio.batches import design, language_models, pages

urlpatterns = [
    path("batches/", pages.index, name="batches"),
    path("batches/new/", design.new, name="batch_new"),
    path("batches/models/", language_models.index, name="language_models"),
    path("batches/<uuid:public_id>/", pages.batch, name="batch"),
    path("batches/<uuid:public_id>/<slug:action>/", pages.act, name="batch_action"),
]
