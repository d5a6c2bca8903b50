"""How balanced the allocation of a study is: as planned, and as reached."""

from dataclasses import asdict
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evaluation.models import Study
from evaluation.selectors.balance import MOST_REVIEWERS, balance_report, stratum_names
from studio.access import researcher_required
from studio.whole_numbers import whole_number

MOST_CELLS = 60  # rows of the table


@require_safe
@researcher_required
def balance(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """For people, or as JSON with `?format=json`; `?reviewers=8` asks what it would be with eight people."""
    study = get_object_or_404(Study, public_id=public_id)
    number = whole_number(request.GET.get("reviewers"), digits=4)
    report = balance_report(study=study, reviewers=number or None)
    if request.GET.get("format") == "json":
        return JsonResponse(asdict(report))
    table = []
    if report.reached is not None:
        strata = report.reached.strata[:MOST_CELLS]
        names = stratum_names(strata=strata)
        table = [(names[stratum], counts) for stratum, counts in zip(strata, report.reached.cells, strict=False)]
    context = {
        "section": "studies",
        "tab": "balance",
        "study": study,
        "report": report,
        "asked": number,
        "most_reviewers": MOST_REVIEWERS,
        "table": table,
        "cells_left_out": report.strata - len(table) if table else 0,
    }
    return render(request, "studio/studies/balance.html", context)
