"""Upload an export, read the report of its dry run, import it for good."""

from typing import Any

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from corpora.importers.columns import LABELS
from corpora.importers.report import ODDITIES, SKIPPED
from corpora.models import Corpus, CorpusImport
from corpora.services import create_corpus
from corpora.tasks import start_again, start_confirmed_import, start_import
from leases.models import State
from leases.services import cancel
from studio.access import researcher_required
from studio.corpora.forms import ImportForm, NewCorpusForm

ACTIVE = {State.QUEUED, State.RUNNING}


@require_http_methods(["GET", "POST"])
@researcher_required
def new(request: HttpRequest) -> HttpResponse:
    form = NewCorpusForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with transaction.atomic():
            corpus = create_corpus(name=data["name"], description=data["description"], created_by=request.user)
            row = start_import(corpus=corpus, file=data["file"], file_name=data["file"].name, created_by=request.user)
        return redirect("studio:import", row.pk)
    status = 422 if form.is_bound else 200
    return render(request, "studio/corpora/new.html", {"section": "corpora", "form": form}, status=status)


@require_http_methods(["GET", "POST"])
@researcher_required
def more(request: HttpRequest, pk: int) -> HttpResponse:
    corpus = get_object_or_404(Corpus, pk=pk)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        row = start_import(corpus=corpus, file=file, file_name=file.name, created_by=request.user)
        return redirect("studio:import", row.pk)
    context = {"section": "corpora", "form": form, "corpus": corpus}
    return render(request, "studio/corpora/new.html", context, status=422 if form.is_bound else 200)


@require_GET
@researcher_required
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """The report, which asks for itself again as long as a worker reads the file."""
    row = get_object_or_404(CorpusImport.objects.select_related("corpus"), pk=pk)
    context = {"section": "corpora", "import": row, "corpus": row.corpus, "is_active": row.state in ACTIVE}
    if row.report:
        context["skipped"] = _lines(row.report["skipped"], SKIPPED)
        context["oddities"] = _lines(row.report["oddities"], ODDITIES)
        headings = row.report["columns"]
        context["columns"] = [(_(label), headings[label]) for label in LABELS.values() if label in headings]
    if request.htmx.target == "report":  # type: ignore[attr-defined]
        if row.state == State.DONE and not row.dry_run:
            imported = row.report["imported"]
            said = ngettext(
                "%(number)s document imported from %(file)s.", "%(number)s documents imported from %(file)s.", imported
            )
            messages.success(request, said % {"number": intcomma(imported), "file": row.file_name})
            return HttpResponseClientRedirect(reverse("studio:corpus", args=[row.corpus_id]))
        return render(request, "studio/corpora/_report.html", context)
    return render(request, "studio/corpora/report.html", context)


@require_POST
@researcher_required
def act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    row = get_object_or_404(CorpusImport, pk=pk)
    if action == "confirm":
        start_confirmed_import(corpus_import=row)
    elif action == "cancel":
        cancel(rows=CorpusImport.objects.filter(pk=pk))
    elif action == "retry":
        start_again(row=row)
    else:
        raise Http404
    return redirect("studio:import", pk)


@require_GET
@researcher_required
def problems(request: HttpRequest, pk: int) -> FileResponse:
    """Every row left out or odd, as CSV that no spreadsheet runs anything from."""
    row = get_object_or_404(CorpusImport, pk=pk)
    if not row.problems or not row.problems.storage.exists(row.problems.name):
        raise Http404
    return FileResponse(
        row.problems.open(), as_attachment=True, filename=f"import-{pk}-problems.csv", content_type="text/csv"
    )


def _lines(tallies: dict[str, Any], texts: dict[str, str]) -> list[tuple[str, int, list[int], int]]:
    """Reason, count, the first rows, and how many rows are not named."""
    present = [(_(text), tallies[reason]) for reason, text in texts.items() if reason in tallies]
    return [(text, found["count"], found["rows"], found["count"] - len(found["rows"])) for text, found in present]
