"""A study as its reviewers meet it: consent and instructions, practice before and after the answer, every text."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from evaluation.desk import slot_context
from evaluation.models import Study
from evaluation.presentation import render_markdown
from evaluation.selectors.guidelines import guidelines
from evaluation.selectors.preview import preview as find_preview
from evaluation.selectors.standing import Standing
from studio.access import researcher_required
from studio.whole_numbers import whole_number


@require_GET
@researcher_required
def preview(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """What reviewers read first, or a text; nothing can be stored from here."""
    study = get_object_or_404(Study, public_id=public_id)
    wanted = whole_number(request.GET.get("text"), digits=9)
    if wanted is None:
        return _first_page(request, study)
    found = find_preview(study=study, position=wanted, is_practised=request.GET.get("after") == "1")
    if found is None:
        raise Http404("No such text")
    context = slot_context(found.page, Standing(0, 0, 0, found.of, False, 0, 0)) | {
        "section": "studies",
        "study": study,
        "number": found.number,
        "is_preview": True,
        "preview": found,
        "text": wanted,
    }
    return render(request, "studio/studies/preview.html", context)


def _first_page(request: HttpRequest, study: Study) -> HttpResponse:
    """Consent, instructions and guidelines."""
    first = find_preview(study=study)
    context = {
        "section": "studies",
        "study": study,
        "guidelines": guidelines(study_id=study.pk, frozen_sha256=study.frozen_sha256),
        "consent": render_markdown(study.consent),
        "first": first,
    }
    return render(request, "studio/studies/preview_start.html", context)
