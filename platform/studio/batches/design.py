"""The page on which a batch is designed: a factorial grid with its size and time shown as it changes."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext_lazy
from django.views.decorators.http import require_http_methods

from generation.selectors import estimate_runs
from generation.services import plan_batch
from studio.access import researcher_required
from studio.batches.forms import BatchForm
from studio.batches.wording import duration

LABELS = {
    "language_models": ngettext_lazy("%d language model", "%d language models"),
    "prompts": ngettext_lazy("%d prompt", "%d prompts"),
    "embedding_models": ngettext_lazy("%d embedding", "%d embeddings"),
    "temperatures": ngettext_lazy("%d temperature", "%d temperatures"),
    "queries": ngettext_lazy("%d question", "%d questions"),
    "iterations": ngettext_lazy("%d iteration", "%d iterations"),
}


@require_http_methods(["GET", "POST"])
@researcher_required
def new(request: HttpRequest) -> HttpResponse:
    form = BatchForm(request.POST or None)
    is_check = "check" in request.POST
    if form.is_valid() and not is_check:
        batch = plan_batch(spec=form.spec, created_by=request.user if request.user.is_authenticated else None)
        return redirect("studio:batch", batch.public_id)
    context = {"section": "batches", "form": form, "estimate": _estimate(form), "is_check": is_check}
    context["chosen_models"] = request.POST.getlist("language_models")
    template = "studio/batches/_estimate.html" if request.htmx else "studio/batches/new.html"  # type: ignore[attr-defined]
    return render(request, template, context)


def _estimate(form: BatchForm) -> dict[str, object] | None:
    factors = form.factors
    if factors is None:
        return None
    combinations = 1
    for name, levels in factors.items():
        combinations *= 1 if name == "language_models" else len(levels)
    estimate = estimate_runs(
        language_models=factors["language_models"],
        combinations=combinations,
        iterations=form.cleaned_data["iterations"],
    )
    sizes = {name: len(levels) for name, levels in factors.items()}
    sizes["iterations"] = form.cleaned_data["iterations"]
    return {
        "terms": [LABELS[name] % size for name, size in sizes.items()],
        "result": estimate,
        "time": duration(estimate.seconds),
    }
