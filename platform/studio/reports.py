"""The agreement report of a study, and its export."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path

from evaluation.models import Study
from evaluation.reports.data import StudyData, load
from evaluation.reports.references import REFERENCES
from evaluation.reports.study_report import agreement_figures, cached_correlations
from studio.access import researcher_required
from studio.reports_context import criterion_section
from studio.reports_correlations import correlation_section
from studio.reports_correlations import urlpatterns as correlation_urls
from studio.reports_exports import urlpatterns as export_urls


@researcher_required
def study_report(request: HttpRequest, public_id: UUID) -> HttpResponse:
    data = load(study=get_object_or_404(Study, public_id=public_id))
    figures = agreement_figures(data=data)
    computed = cached_correlations(data=data)
    sections = [
        criterion_section(data=data, scale=scale, found=found)
        for scale, found in zip(data.scales, figures["criteria"], strict=True)
    ]
    context = {
        "section": "studies",
        "study": data.study,
        "data": data,
        "sections": sections,
        "progress": progress(data),
        "correlations": computed and correlation_section(data=data, found=computed, chosen=""),
        "settings": figures["settings"],
        "version": figures["version"],
        "references": REFERENCES,
    }
    return render(request, "studio/reports/report.html", context)


def progress(data: StudyData) -> dict[str, int]:
    """Ratings that are in, of those planned, over all criteria."""
    left = data.left_out.values()
    return {"counted": sum(found.counted for found in left), "planned": sum(found.planned for found in left)}


urlpatterns = [
    path("studies/<uuid:public_id>/report/", study_report, name="study_report"),
    *correlation_urls,
    *export_urls,
]
