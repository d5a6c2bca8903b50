from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.errors import StudyError
from evaluation.services.studies import create_study
from studio.access import researcher_required
from studio.studies.forms import DEFAULT_CRITERIA, CriterionFormSet, StudyForm


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def new(request: HttpRequest) -> HttpResponse:
    """The protocol of a study; its texts are added to the draft."""
    if request.method != "POST":
        return _page(request, StudyForm(), CriterionFormSet(initial=DEFAULT_CRITERIA, prefix="criteria"))
    form, criteria = StudyForm(request.POST), CriterionFormSet(request.POST, prefix="criteria")
    if not (form.is_valid() and criteria.is_valid()):
        return _page(request, form, criteria, status=422)
    try:
        study = create_study(created_by=request.user, criteria=criteria.criteria(), **form.cleaned_data)
    except StudyError as error:
        form.add_error(None, str(error))
        return _page(request, form, criteria, status=422)
    messages.success(request, "The draft is made. Add the texts to be rated.")
    return redirect("studio:study", study.public_id)


def _page(request: HttpRequest, form: StudyForm, criteria: CriterionFormSet, status: int = 200) -> HttpResponse:
    context = {"section": "studies", "form": form, "criteria": criteria}
    return render(request, "studio/studies/new.html", context, status=status)
