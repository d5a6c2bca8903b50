"""The pages of generated abstracts, and what is asked of the graphs from other pages."""

from studio.abstracts import closer, compare, nulls, pages, ranges, scoring

urlpatterns = [
    *pages.urlpatterns,
    *scoring.urlpatterns,
    *ranges.urlpatterns,
    *nulls.urlpatterns,
    *closer.urlpatterns,
    *compare.urlpatterns,
]
