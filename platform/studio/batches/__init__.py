"""Batches of generated abstracts: design, launch, watch, read."""

from django.urls import path

from studio.batches import design, language_models, nulls, pages

urlpatterns = [
    path("batches/", pages.index, name="batches"),
    path("batches/new/", design.new, name="batch_new"),
    path("batches/models/", language_models.index, name="language_models"),
    path("batches/<uuid:public_id>/", pages.batch, name="batch"),
    path("batches/<uuid:public_id>/nulls/", nulls.batch_nulls, name="batch_nulls"),
    path("batches/<uuid:public_id>/nulls/start/", nulls.batch_nulls_start, name="batch_nulls_start"),
    path("batches/<uuid:public_id>/nulls/cancel/", nulls.batch_nulls_cancel, name="batch_nulls_cancel"),
    path("batches/<uuid:public_id>/<slug:action>/", pages.act, name="batch_action"),
]
