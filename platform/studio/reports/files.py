"""Agreement of a file: upload ratings made elsewhere, get the report, no study needed."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.reports.references import REFERENCES
from evaluation.reports.uploaded import FileRefused, forget_report, keep_file, kept_report, report_on_file
from studio.access import researcher_required
from studio.reports.file_forms import RatingsFileForm, in_page_terms
from studio.reports.method import file_method
from studio.reports.sections import Heading, criterion_section


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def upload(request: HttpRequest) -> HttpResponse:
    user_id = int(request.user.pk)
    if request.method != "POST":
        return _form(request, RatingsFileForm(user_id=user_id))
    form = RatingsFileForm(request.POST, request.FILES, user_id=user_id)
    if not form.is_valid():
        return _form(request, form, kept=form.cleaned_data.get("kept"), words=request.POST.getlist("found")[:100])
    source = form.cleaned_data["source"]
    try:
        report = report_on_file(
            user_id=user_id,
            name=source.name,
            data=source.data,
            reading=form.reading(),
            seed=form.cleaned_data["seed"],
        )
    except FileRefused as refusal:
        form.add_error("file", in_page_terms(str(refusal)))
        words = refusal.words if form.cleaned_data["levels"] is None else None
        kept = keep_file(user_id=user_id, name=source.name, data=source.data) if refusal.words else None
        return _form(request, form, kept=kept, kept_name=source.name, words=words)
    return redirect("studio:ratings_report", report)


@require_safe
@researcher_required
def report(request: HttpRequest, report_id: UUID) -> HttpResponse:
    found = _found(request, report_id)
    context = {
        "section": "studies",
        "report_id": report_id,
        "name": found["name"],
        "until": datetime.fromisoformat(found["until"]),
        "notices": [in_page_terms(notice) for notice in found["document"]["notices"]],
        "sections": [
            _section(number, entry, details)
            for number, (entry, details) in enumerate(
                zip(found["document"]["criteria"], found["details"], strict=True), start=1
            )
        ],
        "method": file_method(document=found["document"], file_sha256=found["file_sha256"]),
        "references": REFERENCES,
    }
    return render(request, "studio/reports/file_report.html", context)


@require_safe
@researcher_required
def download(request: HttpRequest, report_id: UUID) -> HttpResponse:
    """Byte for byte what `kappagraph agreement NAME --json` prints with the same settings."""
    found = _found(request, report_id)
    text = json.dumps(found["document"], ensure_ascii=False, allow_nan=False) + "\n"
    response = HttpResponse(text, content_type="application/json")
    name = slugify(found["name"].rsplit(".", 1)[0])[:60] or "ratings"
    response["Content-Disposition"] = f'attachment; filename="{name}-agreement.json"'
    response["Cache-Control"] = "private, no-store"
    return response


@require_POST
@researcher_required
def forget(request: HttpRequest, report_id: UUID) -> HttpResponse:
    forget_report(user_id=int(request.user.pk), report_id=report_id)
    messages.success(request, _("The report is deleted."))
    return redirect("studio:ratings_upload")


def _found(request: HttpRequest, report_id: UUID) -> dict[str, Any]:
    found = kept_report(user_id=int(request.user.pk), report_id=report_id)
    if found is None:
        raise Http404("no such report: it is kept for a day, for the person who uploaded the file")
    return found


def _section(number: int, entry: dict[str, Any], details: dict[str, Any]) -> dict[str, Any]:
    heading = Heading(
        key=f"file-{number}",
        name=entry["criterion"] or _("all ratings"),
        labels=tuple(str(level) for level in entry["levels"]),
    )
    return criterion_section(
        heading=heading,
        found=entry,
        apart=details["apart"],
        use=details["use"],
        pairs_are=_("in the JSON"),
        items_are=_("not listed here"),
    )


def _form(
    request: HttpRequest,
    form: RatingsFileForm,
    *,
    kept: UUID | None = None,
    kept_name: str = "",
    words: list[str] | None = None,
) -> HttpResponse:
    places = request.POST.getlist("place") if form.is_bound else []
    given = dict(zip(request.POST.getlist("found"), places, strict=False)) if form.is_bound else {}
    context = {
        "section": "studies",
        "form": form,
        "kept": kept,
        "kept_name": kept_name,
        "words": [(word, given.get(word, "")) for word in words or []],
    }
    return render(request, "studio/reports/upload.html", context, status=422 if form.errors else 200)


urlpatterns = [
    path("ratings/", upload, name="ratings_upload"),
    path("ratings/<uuid:report_id>/", report, name="ratings_report"),
    path("ratings/<uuid:report_id>/json", download, name="ratings_download"),
    path("ratings/<uuid:report_id>/delete/", forget, name="ratings_forget"),
]
