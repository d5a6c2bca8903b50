"""Where the texts of a draft come from: a batch, a corpus, a file, or the researcher's own hand."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from corpora.models import Corpus
from evaluation.errors import UploadError
from evaluation.models import Item
from evaluation.rubrics import CriterionSpec
from evaluation.services.controls import MOST_PERCENT
from evaluation.services.drawing import MOST_BINS
from evaluation.text_rows import LONGEST_FEEDBACK, LONGEST_ID, LONGEST_TEXT, TextRow, check_row
from evaluation.uploads import read_texts
from generation.models import Batch
from graphs.science.metric_registry import METRICS

__all__ = ["BatchTextsForm", "CorpusTextsForm", "FileTextsForm", "WrittenTextForm"]

LARGEST_FILE = 20 * 1024 * 1024


class DrawForm(forms.Form):
    count = forms.IntegerField(min_value=1, max_value=10_000, initial=10, label=_("How many"))
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0, label=_("Seed"))


class BatchTextsForm(DrawForm):
    batch = forms.ModelChoiceField(Batch.objects.all(), to_field_name="public_id", empty_label=None, label=_("Batch"))
    metric = forms.ChoiceField(
        required=False,
        choices=[("", _("Cells alone")), *((each.key, each.label) for each in METRICS)],
        label=_("Even over cells and quantiles of"),
    )
    bins = forms.IntegerField(required=False, min_value=2, max_value=MOST_BINS, initial=3, label=_("Quantiles"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["bins"] = (cleaned.get("bins") or 3) if cleaned.get("metric") else 1
        return cleaned


class CorpusTextsForm(DrawForm):
    corpus = forms.ModelChoiceField(Corpus.objects.all(), empty_label=None, label=_("Corpus"))
    unit = forms.ChoiceField(
        required=False,
        choices=[("texts", _("texts")), ("percent", _("% of all texts"))],
        label=_("Counted in"),
    )

    def clean(self) -> dict[str, Any]:
        """`count` or `percent`, as the service takes them."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.pop("unit", "") == "percent" and "count" in cleaned:
            cleaned["percent"], cleaned["count"] = cleaned["count"], None
            if cleaned["percent"] > MOST_PERCENT:
                self.add_error("count", gettext("{most} percent is the most.").format(most=MOST_PERCENT))
        return cleaned


class FileTextsForm(forms.Form):
    file = forms.FileField(label=_("File"))

    def clean_file(self) -> list[TextRow]:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(
                gettext("{file} is larger than 20 MB. Split it, and upload the parts.").format(file=file.name)
            )
        try:
            return read_texts(file.read(), name=file.name)
        except UploadError as error:
            raise forms.ValidationError(error.problems) from error


class WrittenTextForm(forms.Form):
    """One practice text or attention check, with a choice of expected level for each criterion."""

    kind = forms.ChoiceField(
        choices=[
            (Item.Kind.PRACTICE, _("practice, before the first text")),
            (Item.Kind.ATTENTION, _("attention check")),
        ],
        label=_("What for"),
    )
    external_id = forms.CharField(max_length=LONGEST_ID, label=_("Id"), help_text=_("Reviewers never see it."))
    question = forms.CharField(required=False, max_length=5000, label=_("Question"))
    text = forms.CharField(max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 4}), label=_("Text"))
    feedback = forms.CharField(
        required=False,
        max_length=LONGEST_FEEDBACK,
        widget=forms.Textarea(attrs={"rows": 2}),
        label=_("Feedback"),
        help_text=_("After a practice text: why these levels."),
    )

    def __init__(self, *args: Any, criteria: tuple[CriterionSpec, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scales = [one for one in criteria if one.levels]
        for spec in self.scales:
            self.fields[f"expected-{spec.key}"] = forms.ChoiceField(
                required=False,
                choices=[("", "–"), *((level.value, level.label) for level in spec.levels)],
                label=spec.name,
            )

    @property
    def expected(self) -> list[forms.BoundField]:
        return [self[f"expected-{spec.key}"] for spec in self.scales]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            cleaned["row"] = row = TextRow(
                cleaned["external_id"].strip(),
                cleaned["question"].strip(),
                cleaned["text"].strip(),
                cleaned["kind"],
                cleaned["feedback"].strip(),
                tuple((one.key, level) for one in self.scales if (level := cleaned[f"expected-{one.key}"])),
            )
            if problem := check_row(row):
                raise forms.ValidationError(problem[0].upper() + problem[1:])
        return cleaned
