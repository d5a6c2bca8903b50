from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from evaluation.desk import slot_context
from evaluation.models import Study
from evaluation.selectors.standing import Standing
from evaluation.selectors.watching import preview_page
from studio.access import researcher_required


@require_GET
@researcher_required
def preview(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A text as reviewers meet it; nothing can be stored from here."""
    study = get_object_or_404(Study, public_id=public_id)
    wanted = request.GET.get("text", "1")
    position = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10 else 1
    page = preview_page(study=study, position=position)
    if page is None:
        raise Http404("No such text")
    total = study.items.count()
    context = slot_context(page, Standing(0, 0, 0, total, False, 0, 0)) | {
        "section": "studies",
        "study": study,
        "number": page.position,
        "is_preview": True,
        "next_text": page.position + 1 if page.position < total else None,
        "previous_text": page.position - 1 if page.position > 1 else None,
    }
    return render(request, "studio/studies/preview.html", context)
