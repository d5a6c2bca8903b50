"""The protocol of a study: a new one, a draft's, and the next version of a launched one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.rubrics import levels_as_text
from evaluation.services.studies import change_protocol, create_study, stored_criteria
from studio.access import researcher_required
from studio.studies.forms import DEFAULT_CRITERIA, CriterionFormSet, StudyForm
from studio.studies.level_order import warn_of_alphabet


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def new(request: HttpRequest) -> HttpResponse:
    """The protocol comes first; texts are added to the draft."""
    if request.method != "POST":
        return _page(request, StudyForm(), CriterionFormSet(initial=DEFAULT_CRITERIA, prefix="criteria"))
    form, criteria = StudyForm(request.POST), CriterionFormSet(request.POST, prefix="criteria")
    if form.is_valid() and criteria.is_valid():
        try:
            study = create_study(created_by=request.user, criteria=criteria.criteria(), **form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The draft is made. Add the texts to be rated.")
            warn_of_alphabet(request, criteria.criteria())
            return redirect("studio:study", study.public_id)
    return _page(request, form, criteria, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def edit(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    if study.state != Study.State.DRAFT:
        messages.error(request, "The study is launched: its protocol is frozen. Make a new version instead.")
        return redirect("studio:study", public_id)
    if request.method != "POST":
        names = ("title", "instructions", "raters_per_item", "lease_minutes", "order_seed")
        form = StudyForm(initial={name: getattr(study, name) for name in names})
        return _page(request, form, CriterionFormSet(initial=_rows(study), prefix="criteria"), study=study)
    form, criteria = StudyForm(request.POST), CriterionFormSet(request.POST, prefix="criteria")
    if form.is_valid() and criteria.is_valid():
        try:
            change_protocol(study=study, criteria=criteria.criteria(), **form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The protocol is changed.")
            warn_of_alphabet(request, criteria.criteria())
            return redirect("studio:study", public_id)
    return _page(request, form, criteria, study=study, status=422)


def _rows(study: Study) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"name": spec.name, "definition": spec.definition, "levels": levels_as_text(spec)}
        for spec in stored_criteria(study=study)
    ]
    return [*rows, {}]


def _page(
    request: HttpRequest, form: StudyForm, criteria: CriterionFormSet, *, study: Study | None = None, status: int = 200
) -> HttpResponse:
    context = {"section": "studies", "form": form, "criteria": criteria, "study": study}
    return render(request, "studio/studies/new.html", context, status=status)
