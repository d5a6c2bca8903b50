"""Adding texts to a draft: from a batch, a file, a corpus, or by hand."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from evaluation.draws import describe_draw
from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.services.items import add_items_from_batch, add_items_from_corpus, add_items_from_rows
from evaluation.services.studies import stored_criteria
from evaluation.uploads import TextRow
from studio.access import researcher_required
from studio.studies.study import render_study
from studio.studies.text_forms import BatchTextsForm, CorpusTextsForm, FileTextsForm, WrittenTextForm


def _add_rows(*, study: Study, file: list[TextRow]) -> int:
    return add_items_from_rows(study=study, rows=file)


def _add_written(*, study: Study, row: TextRow, **_fields: Any) -> int:
    return add_items_from_rows(study=study, rows=[row])


SOURCES: dict[str, tuple[type[forms.Form], Callable[..., Any]]] = {
    "batch": (BatchTextsForm, add_items_from_batch),
    "file": (FileTextsForm, _add_rows),
    "corpus": (CorpusTextsForm, add_items_from_corpus),
    "written": (WrittenTextForm, _add_written),
}


@require_POST
@researcher_required
def add(request: HttpRequest, public_id: UUID, source: str) -> HttpResponse:
    """All the texts that were asked for, or none and the reason why."""
    study = get_object_or_404(Study, public_id=public_id)
    if source not in SOURCES:
        raise Http404
    form_class, service = SOURCES[source]
    extra = {"criteria": stored_criteria(study=study)} if source == "written" else {}
    form = form_class(request.POST, request.FILES, prefix=source, **extra)
    if form.is_valid():
        try:
            added = service(study=study, **form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error).splitlines())
        else:
            _tell(request, added)
            return redirect("studio:study", public_id)
    if study.state != Study.State.DRAFT:
        messages.error(request, _("The study is launched: its texts are frozen."))
        return redirect("studio:study", public_id)
    return render_study(request, study, status=422, anchor=source, **{f"{source}_form": form})


def _tell(request: HttpRequest, added: int | dict[str, Any]) -> None:
    """How many came, and of a draw how even it is."""
    count = added if isinstance(added, int) else added["count"]
    told = [ngettext("{n} text added.", "{n} texts added.", count).format(n=count)]
    if not isinstance(added, int):
        told += describe_draw(added)[1:]
    messages.success(request, " ".join(told))
