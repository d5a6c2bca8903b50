"""Corpora: import, look through, embed, and ask."""

from django.urls import path

from studio.corpora import documents, embedding, imports, pages, queries

urlpatterns = [
    path("corpora/", pages.index, name="corpora"),
    path("corpora/new/", imports.new, name="corpus_new"),
    path("corpora/<int:pk>/", pages.corpus, name="corpus"),
    path("corpora/<int:pk>/import/", imports.more, name="corpus_import"),
    path("corpora/<int:pk>/embed/", embedding.start, name="corpus_embed"),
    path("corpora/<int:pk>/ask/", queries.ask, name="corpus_ask"),
    path("corpora/imports/<int:pk>/", imports.report, name="import"),
    path("corpora/imports/<int:pk>/problems.csv", imports.problems, name="import_problems"),
    path("corpora/imports/<int:pk>/<slug:action>/", imports.act, name="import_action"),
    path("corpora/embedding/<int:pk>/<slug:action>/", embedding.act, name="embedding_action"),
    path("corpora/queries/<int:pk>/", queries.answer, name="retrieval"),
    path("corpora/documents/<int:pk>/", documents.document, name="document"),
]
