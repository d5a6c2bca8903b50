"""What came of the closing question: could reviewers tell who wrote a text?"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from evaluation.models import Study
from evaluation.reports.words import decimal, p_value
from evaluation.science.quality.detection import Rate
from evaluation.selectors.authorship import Guesser, study_authorship
from studio.access import researcher_required
from studio.studies.tabs import study_page

TRUTHS = {"person": _("Texts by people"), "machine": _("Generated texts")}


@require_GET
@researcher_required
def authorship(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    found = study_authorship(study=study)
    context = study_page(study, "authorship") | {
        "found": found,
        "overall": _shown(found.overall),
        "reviewers": [_shown(reviewer) for reviewer in found.reviewers],
        "table": [
            (TRUTHS[truth], row["person"], row["machine"], row["unsure"], sum(row.values()))
            for truth, row in found.overall.table.items()
        ],
    }
    return render(request, "studio/studies/authorship.html", context)


def _shown(guesser: Guesser) -> dict[str, Any]:
    found = guesser.found
    return {
        "name": guesser.name,
        "guesses": guesser.n,
        "unsure": guesser.unsure,
        "sensitivity": _rate(found.sensitivity),
        "specificity": _rate(found.specificity),
        "youden": None if found.youden is None else decimal(found.youden),
        "d_prime": None if found.d_prime is None else decimal(found.d_prime),
        "d_prime_se": None if found.d_prime_se is None else decimal(found.d_prime_se),
        "p": None if found.p is None else p_value(found.p).removeprefix("= "),
        "reason": found.reason,
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        "hits": rate.hits,
        "n": rate.n,
        "value": None if rate.value is None else decimal(rate.value),
        "interval": None if rate.ci is None else tuple(decimal(end) for end in rate.ci),
        "reason": rate.reason,
    }
