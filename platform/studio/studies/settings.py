"""The settings of a running study: joining, panels, reminders."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.protocol import SETTINGS
from evaluation.services.settings import change_settings
from studio.access import researcher_required
from studio.studies.settings_form import SettingsForm


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def settings(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """What may change after the launch; in a draft these stand in the protocol itself."""
    study = get_object_or_404(Study, public_id=public_id)
    if study.state == Study.State.DRAFT:
        return redirect("studio:study_edit", public_id)
    form = SettingsForm(request.POST or None, initial={name: getattr(study, name) for name in SETTINGS})
    if request.method == "POST" and form.is_valid():
        try:
            changed = change_settings(study=study, actor=request.user, **form.cleaned_data)
        except StudyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The settings are changed.") if changed else _("Nothing was changed."))
            return redirect("studio:study", public_id)
    context = {"section": "studies", "study": study, "form": form}
    return render(request, "studio/studies/settings.html", context, status=422 if form.errors else 200)
