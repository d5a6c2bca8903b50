"""How a study comes along: pace, when it may end, who has rated how much, who has not come, and reminders."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.selectors.pace import absent_people, reviewer_pace, study_pace, waiting_texts
from evaluation.selectors.reminders import recipients
from evaluation.selectors.watching import coverage
from evaluation.tasks import start_reminders
from studio.access import researcher_required
from studio.studies.pace_chart import pace_chart
from studio.studies.tabs import study_page

# Why somebody gets no reminder now.
REASONS = {
    "finished": _("finished"),
    "no-address": _("no e-mail address"),
    "unsubscribed": _("wants no reminders"),
    "reminded": _("reminded within the last day"),
    "nothing-left": _("nothing left to rate"),
}


@require_GET
@researcher_required
def progress(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    pace = study_pace(study=study)
    people = reviewer_pace(study=study)
    states = [person.state for person in people]
    context = study_page(study, "progress") | {
        "coverage": coverage(study=study),
        "pace": pace,
        "chart": pace_chart(pace.days),
        "people": people,
        "texts_waiting": waiting_texts(study=study),
        "begun": sum(state in {"rating", "finished"} for state in states),
        "finished": states.count("finished"),
        "waiting": states.count("not-begun"),
        "absent": absent_people(study=study),
    }
    if study.state == Study.State.OPEN and request.may_run:  # type: ignore[attr-defined]
        found = recipients(study=study)
        context["reminded"] = [one for one in found if not one.reason]
        context["unreminded"] = [(one, REASONS[one.reason]) for one in found if one.reason]
    return render(request, "studio/studies/progress.html", context)


@require_POST
@researcher_required
def remind(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    assert isinstance(request.user, User)  # noqa: S101  (researcher_required)
    try:
        number = start_reminders(study=study, actor=request.user)
    except StudyError as error:
        messages.error(request, str(error))
    else:
        said = ngettext("%(number)s reminder is on its way.", "%(number)s reminders are on their way.", number)
        messages.success(request, said % {"number": number})
    return redirect("studio:study_progress", public_id)
