"""The protocol of a study: a new one, a draft's, and the next version of a launched one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.protocol import options_of
from evaluation.rubrics import TEMPLATES, CriterionSpec, worded_templates
from evaluation.services.studies import change_protocol, create_study, stored_criteria
from studio.access import researcher_required
from studio.studies.criterion_forms import MOST_CRITERIA, CriterionFormSet, criterion_rows
from studio.studies.level_order import warn_of_alphabet
from studio.studies.protocol_form import ProtocolForm
from studio.studies.reworking import rework


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def new(request: HttpRequest) -> HttpResponse:
    """The protocol comes first; texts are added to the draft."""
    if request.method != "POST":
        return _page(request, ProtocolForm(), _criteria(worded_templates()))
    if "more" in request.POST:
        return _page(request, *rework(request, request.POST["more"]))
    form = ProtocolForm(request.POST)
    criteria = CriterionFormSet(request.POST, prefix="criteria", stored=worded_templates())
    if form.is_valid() and criteria.is_valid():
        try:
            study = create_study(created_by=request.user, criteria=criteria.criteria(), **form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The draft is made. Add the texts to be rated."))
            warn_of_alphabet(request, criteria.criteria())
            return redirect("studio:study", study.public_id)
    return _page(request, form, criteria, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def edit(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    if study.state != Study.State.DRAFT:
        messages.error(request, _("The study is launched: its protocol is frozen. Make a new version instead."))
        return redirect("studio:study", public_id)
    if "more" in request.POST:
        return _page(request, *rework(request, request.POST["more"]), study=study)
    stored = stored_criteria(study=study)
    if request.method != "POST":
        names = ("title", "instructions", "raters_per_item", "lease_minutes", "order_seed")
        initial: dict[str, Any] = {name: getattr(study, name) for name in names} | dict(options_of(study))
        return _page(request, ProtocolForm(initial=initial), _criteria(stored), study=study)
    form = ProtocolForm(request.POST)
    criteria = CriterionFormSet(request.POST, prefix="criteria", stored=stored)
    if form.is_valid() and criteria.is_valid():
        try:
            lost = change_protocol(
                study=study, criteria=criteria.criteria(), renamed=criteria.renamed(), **form.cleaned_data
            )
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The protocol is changed."))
            _warn_of_lost(request, lost)
            warn_of_alphabet(request, criteria.criteria())
            return redirect("studio:study", public_id)
    return _page(request, form, criteria, study=study, status=422)


def _warn_of_lost(request: HttpRequest, lost: int) -> None:
    if lost:
        messages.warning(
            request,
            ngettext(
                "{count} expected level is gone with its criterion or level. Give the text a new one.",
                "{count} expected levels are gone with their criteria or levels. Give the texts new ones.",
                lost,
            ).format(count=lost),
        )


def _criteria(criteria: tuple[CriterionSpec, ...]) -> CriterionFormSet:
    return CriterionFormSet(initial=criterion_rows(criteria), prefix="criteria")


def _page(
    request: HttpRequest,
    form: ProtocolForm,
    criteria: CriterionFormSet,
    focus: str = "",
    *,
    study: Study | None = None,
    status: int = 200,
) -> HttpResponse:
    names = {form["name"].value() for form in criteria.forms}
    context = {
        "section": "studies",
        "form": form,
        "criteria": criteria,
        "study": study,
        "focus": focus,
        "templates": [
            spec
            for spec, english in zip(worded_templates(), TEMPLATES, strict=True)
            if not {spec.name, english.name} & names
        ],
        "has_room": len(criteria.forms) < MOST_CRITERIA,
    }
    return render(request, "studio/studies/new.html", context, status=status)
