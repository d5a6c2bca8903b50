"""The researchers' pages of figures: the agreement report of a study or a file, exports, planning, an example."""

from studio.reports import correlations, example, exports, files, planner, study

urlpatterns = [
    *study.urlpatterns,
    *correlations.urlpatterns,
    *exports.urlpatterns,
    *files.urlpatterns,
    *planner.urlpatterns,
    *example.urlpatterns,
]
