"""Exports of a study: start one, watch it, download it."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from evaluation.errors import AgreementHidden
from evaluation.models import Export, Study
from evaluation.selectors.opening import agreement_opened
from evaluation.tasks import start_export
from leases.models import State
from studio.access import researcher_required

SHOWN = 20


class ExportForm(forms.Form):
    same_pseudonyms = forms.BooleanField(
        required=False,
        label=_("Same pseudonyms as in the last export"),
        help_text=_("Otherwise each export names the reviewers anew, so that two files cannot be joined."),
    )


@researcher_required
@require_http_methods(["GET", "HEAD", "POST"])
def study_exports(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The page and, for htmx, its list of exports."""
    study = get_object_or_404(Study, public_id=public_id)
    last = study.exports.first()
    form = ExportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        busy = last is not None and last.state in {State.QUEUED, State.RUNNING}
        if not busy:
            assert isinstance(request.user, User)  # noqa: S101  (researcher_required)
            try:
                start_export(
                    study=study, user=request.user, like=last if form.cleaned_data["same_pseudonyms"] else None
                )
            except AgreementHidden as refused:
                messages.error(request, str(refused))
                return redirect("studio:study_exports", public_id=public_id)
        if not request.headers.get("HX-Request"):
            return redirect("studio:study_exports", public_id=public_id)
    exports = list(study.exports.all()[:SHOWN])
    context = {
        "section": "studies",
        "study": study,
        "exports": exports,
        "form": form,
        "opened": agreement_opened(study=study),
        "busy": any(export.state in {State.QUEUED, State.RUNNING} for export in exports),
    }
    partial = request.headers.get("HX-Target") == "exports"
    response = render(request, "studio/reports/_exports.html" if partial else "studio/reports/exports.html", context)
    response["Vary"] = "HX-Request, HX-Target"
    return response


@researcher_required
@require_GET
def download(request: HttpRequest, public_id: UUID, export_id: UUID) -> FileResponse:
    export = get_object_or_404(
        Export.objects.select_related("study"), public_id=export_id, study__public_id=public_id, state=State.DONE
    )
    try:
        stream = export.file.open("rb")
    except OSError:
        raise Http404("the file is no longer there; export again") from None
    name = f"{slugify(export.study.title)[:60] or 'study'}-export-{export.created_at:%Y-%m-%d}.zip"
    response = FileResponse(stream, as_attachment=True, filename=name, content_type="application/zip")
    response["Cache-Control"] = "private, no-store"
    response["ETag"] = f'"{export.sha256}"'
    return response


urlpatterns = [
    path("studies/<uuid:public_id>/exports/", study_exports, name="study_exports"),
    path("studies/<uuid:public_id>/exports/<uuid:export_id>/download", download, name="study_export_download"),
]
