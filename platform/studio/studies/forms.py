"""What researchers type about a study, checked before a service sees it."""

from typing import Any

from django import forms

from corpora.models import Corpus
from evaluation.errors import UploadError
from evaluation.invitees import Invitee, read_people
from evaluation.rubrics import TEMPLATES, CriterionSpec, RubricError, check_rubric, criterion_from_text, levels_as_text
from evaluation.uploads import TextRow, read_texts
from generation.models import Batch

LARGEST_FILE = 20 * 1024 * 1024


class StudyForm(forms.Form):
    title = forms.CharField(max_length=200)
    instructions = forms.CharField(required=False, max_length=50_000, widget=forms.Textarea(attrs={"rows": 8}))
    raters_per_item = forms.IntegerField(min_value=1, max_value=100, initial=2)
    lease_minutes = forms.IntegerField(min_value=1, max_value=100_000, initial=60)
    order_seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def clean_title(self) -> str:
        """One line: it becomes the subject of invitations."""
        return " ".join(self.cleaned_data["title"].split())


class CriterionForm(forms.Form):
    name = forms.CharField(max_length=100, required=False)
    definition = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))
    levels = forms.CharField(required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 4}))


class BaseCriterionFormSet(forms.BaseFormSet):
    """A criterion a form; those without a name are left out."""

    def clean(self) -> None:
        if any(self.errors):
            return
        try:
            check_rubric(self.criteria())
        except RubricError as error:
            raise forms.ValidationError(str(error)) from error

    def criteria(self) -> tuple[CriterionSpec, ...]:
        given = [form.cleaned_data for form in self.forms if form.cleaned_data.get("name", "").strip()]
        return tuple(
            criterion_from_text(position=position, name=row["name"], definition=row["definition"], levels=row["levels"])
            for position, row in enumerate(given, start=1)
        )


CriterionFormSet = forms.formset_factory(CriterionForm, formset=BaseCriterionFormSet, extra=0, max_num=12)
DEFAULT_CRITERIA: list[dict[str, Any]] = [
    {"name": spec.name, "definition": spec.definition, "levels": levels_as_text(spec)} for spec in TEMPLATES
] + [{}]


class DrawForm(forms.Form):
    count = forms.IntegerField(min_value=1, max_value=10_000, initial=10)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0)


class BatchTextsForm(DrawForm):
    batch = forms.ModelChoiceField(Batch.objects.all(), to_field_name="public_id", empty_label=None)


class CorpusTextsForm(DrawForm):
    corpus = forms.ModelChoiceField(Corpus.objects.all(), empty_label=None)


class FileTextsForm(forms.Form):
    file = forms.FileField()

    def clean_file(self) -> list[TextRow]:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(f"{file.name} is larger than 20 MB. Split it, and upload the parts.")
        try:
            return read_texts(file.read(), name=file.name)
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error


class InviteForm(forms.Form):
    people = forms.CharField(max_length=50_000, widget=forms.Textarea(attrs={"rows": 4}))
    quota = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    days = forms.IntegerField(min_value=1, max_value=1000, initial=60)
    send = forms.BooleanField(required=False, initial=True)

    def clean_people(self) -> list[Invitee]:
        try:
            return read_people(self.cleaned_data["people"])
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error
