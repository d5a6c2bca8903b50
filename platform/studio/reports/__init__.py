"""The researchers' pages of figures: the agreement report of a study or a file, exports, planning, an example."""

from studio.reports import correlations, exports, files, study

urlpatterns = [
    *study.urlpatterns,
    *correlations.urlpatterns,
    *exports.urlpatterns,
    *files.urlpatterns,
]
