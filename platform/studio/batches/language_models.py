"""Which language models there are, and a form for one's own."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from generation.selectors import offered_language_models
from generation.services import register_language_model
from studio.access import researcher_required
from studio.batches.forms import LanguageModelForm


@require_http_methods(["GET", "POST"])
@researcher_required
def index(request: HttpRequest) -> HttpResponse:
    form = LanguageModelForm(request.POST or None)
    if form.is_valid():
        names = ("key", "revision", "backend", "name", "options")
        model = register_language_model(**{name: form.cleaned_data[name] for name in names})
        messages.success(request, _("%(model)s can be chosen for a batch now.") % {"model": model})
        return redirect("studio:language_models")
    context = {"section": "batches", "form": form, "offered": offered_language_models()}
    return render(request, "studio/batches/language_models.html", context)
