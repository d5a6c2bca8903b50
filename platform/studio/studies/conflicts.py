"""Texts that are kept from reviewers: found by their authors' names, or named here."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from evaluation.errors import StudyError
from evaluation.models import Conflict, Item, Membership, Study
from evaluation.selectors.conflicts import conflict_rows
from evaluation.services.conflicts import LONGEST_REASON, add_conflicts, lift_conflicts
from studio.access import researcher_required
from studio.whole_numbers import whole_number

PAGE = 50
MOST_IDS = 500


class ConflictForm(forms.Form):
    """A person, and the texts by the researcher's own names for them."""

    reviewer = forms.ModelChoiceField(queryset=Membership.objects.none(), label=gettext_lazy("Reviewer"))
    texts = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), label=gettext_lazy("Texts"), max_length=100_000)
    reason = forms.CharField(max_length=LONGEST_REASON, required=False, label=gettext_lazy("Why"))

    def __init__(self, study: Study, *args: object) -> None:
        super().__init__(*args)
        self.study = study
        reviewers = forms.ModelChoiceField(
            queryset=study.memberships.filter(role=Membership.Role.REVIEWER).select_related("user").order_by("number"),
            label=gettext_lazy("Reviewer"),
        )
        reviewers.label_from_instance = lambda member: str(member.user)  # type: ignore[method-assign]
        self.fields["reviewer"] = reviewers

    def clean_texts(self) -> list[Item]:
        """The rated texts with these ids, one a line or parted by commas; all or none."""
        given = self.cleaned_data["texts"].replace(",", "\n").splitlines()
        ids = list(dict.fromkeys(one.strip() for one in given if one.strip()))
        if len(ids) > MOST_IDS:
            raise forms.ValidationError(_("At most %(most)s texts at once.") % {"most": MOST_IDS})
        items = list(self.study.items.filter(external_id__in=ids, kind=Item.Kind.RATED))
        missing = sorted(set(ids) - {item.external_id for item in items})
        if missing:
            named = ", ".join(missing[:5])
            raise forms.ValidationError(_("There is no rated text with this id: %(ids)s.") % {"ids": named})
        return items


@require_http_methods(["GET", "HEAD", "POST"])
@researcher_required
def conflicts(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    form = ConflictForm(study)
    if request.method == "POST":
        if "lift" in request.POST:
            return _lift(request, study)
        form = ConflictForm(study, request.POST)
        if form.is_valid() and _add(request, study, form):
            return redirect("studio:study_conflicts", public_id)
    start = whole_number(request.GET.get("after"), digits=14) or 0
    rows = conflict_rows(study=study, after=start, limit=PAGE + 1)
    context = {
        "section": "studies",
        "tab": "balance",
        "study": study,
        "rows": rows[:PAGE],
        "start": start,
        "next_after": rows[PAGE - 1].pk if len(rows) > PAGE else None,
        "form": form,
    }
    return render(request, "studio/studies/conflicts.html", context, status=422 if form.is_bound else 200)


def _add(request: HttpRequest, study: Study, form: ConflictForm) -> bool:
    said = form.cleaned_data
    try:
        added = add_conflicts(
            study=study, user=said["reviewer"].user, items=said["texts"], actor=request.user, reason=said["reason"]
        )
    except StudyError as error:
        form.add_error(None, str(error))
        return False
    words = ngettext("%(count)s text is kept from %(name)s.", "%(count)s texts are kept from %(name)s.", added)
    messages.success(request, words % {"count": added, "name": said["reviewer"].user})
    return True


def _lift(request: HttpRequest, study: Study) -> HttpResponse:
    pk = whole_number(request.POST["lift"], digits=14) or 0
    found = get_object_or_404(Conflict.objects.select_related("user", "item"), pk=pk, item__study=study)
    lift_conflicts(study=study, user=found.user, items=[found.item], actor=request.user)
    messages.success(request, _("%(name)s may be given this text again.") % {"name": found.user})
    return redirect("studio:study_conflicts", study.public_id)
