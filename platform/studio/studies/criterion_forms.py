"""Criteria as researchers type them: one card each, levels one a line, examples in rows of their own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.models import Criterion
from evaluation.rubrics import (
    AnchorSpec,
    CriterionSpec,
    RubricError,
    check_rubric,
    criterion_from_text,
    levels_as_text,
    levels_from_text,
)

__all__ = ["MOST_CRITERIA", "CriterionFormSet", "criterion_rows"]

MOST_CRITERIA = 12
MOST_EXAMPLES = 55


class AnchorForm(forms.Form):
    level = forms.CharField(required=False, widget=forms.Select, label=_("Level"))
    body = forms.CharField(
        required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 3}), label=_("Example text")
    )
    explanation = forms.CharField(
        required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 2}), label=_("Why this level")
    )


AnchorFormSet = forms.formset_factory(AnchorForm, extra=0, max_num=MOST_EXAMPLES, absolute_max=MOST_EXAMPLES)


class CriterionForm(forms.Form):
    # The key under which the criterion was stored, so that expected levels can follow it when it is renamed.
    key = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    name = forms.CharField(max_length=100, required=False, label=_("Name"))
    definition = forms.CharField(
        required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), label=_("What is asked")
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[
            (Criterion.Kind.LEVELS, _("by an ordered level")),
            (Criterion.Kind.NUMBER, _("by a number")),
            (Criterion.Kind.WORDS, _("in words")),
        ],
        label=_("Answered"),
    )
    may_be_left_out = forms.BooleanField(required=False, label=_("May be left out"))
    levels = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=_("Levels, lowest first"),
        help_text=_("One a line, two to eleven; after a colon, what the level means."),
    )
    minimum = forms.FloatField(required=False, label=_("Smallest"), help_text=_("Empty: no bound."))
    maximum = forms.FloatField(required=False, label=_("Largest"), help_text=_("Empty: no bound."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.anchors = self._anchors()
        typed = self["levels"].value() or ""
        choices = [(level.label, level.label) for level in levels_from_text(typed)]
        for form in self.anchors.forms:
            chosen = form["level"].value()
            # A level that was renamed since stays in the list until another is chosen.
            gone = [(chosen, chosen)] if chosen and chosen not in dict(choices) else []
            form.fields["level"].widget.choices = [("", "…"), *choices, *gone]

    @property
    def place(self) -> str:
        """The how-manieth criterion it is, from 0, as in the names of its fields."""
        return str(self.prefix).rpartition("-")[2]

    def _anchors(self) -> forms.BaseFormSet:
        prefix = f"{self.prefix}-anchors"
        if self.is_bound and f"{prefix}-TOTAL_FORMS" in self.data:
            return AnchorFormSet(self.data, prefix=prefix)
        return AnchorFormSet(initial=self.initial.get("anchors", []), prefix=prefix)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["kind"] = cleaned.get("kind") or Criterion.Kind.LEVELS
        cleaned["anchors"] = self._examples(cleaned) if cleaned["kind"] == Criterion.Kind.LEVELS else []
        return cleaned

    def _examples(self, cleaned: dict[str, Any]) -> list[tuple[str, AnchorSpec]]:
        if not self.anchors.is_bound:
            return []
        if not self.anchors.is_valid():
            raise forms.ValidationError(gettext("An example is not complete; see below."))
        labels = {level.label for level in levels_from_text(cleaned.get("levels", ""))}
        found = []
        for number, row in enumerate((form.cleaned_data for form in self.anchors.forms), start=1):
            body = row.get("body", "").strip()
            if not body:
                continue
            if row["level"] not in labels:
                say = (
                    gettext("Example {number} has no level.")
                    if not row["level"]
                    else gettext("Example {number}: “{level}” is no level of this criterion. Choose one of its levels.")
                )
                raise forms.ValidationError(say.format(number=number, level=row["level"]))
            found.append((row["level"], AnchorSpec(body, row.get("explanation", "").strip())))
        return found


class BaseCriterionFormSet(forms.BaseFormSet):
    """A criterion a form; those without a name are left out."""

    def __init__(self, *args: Any, stored: tuple[CriterionSpec, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored: Mapping[str, CriterionSpec] = {spec.key: spec for spec in stored}

    def clean(self) -> None:
        if any(self.errors):
            return
        try:
            check_rubric(self.criteria())
        except RubricError as error:
            raise forms.ValidationError(str(error)) from error

    def criteria(self) -> tuple[CriterionSpec, ...]:
        return tuple(self._spec(position, row) for position, row in enumerate(self._rows(), start=1))

    def renamed(self) -> dict[str, str]:
        """New keys by the stored ones, of criteria whose name was changed."""
        pairs = zip((row["key"] for row in self._rows()), self.criteria(), strict=True)
        return {key: spec.key for key, spec in pairs if key in self.stored and key != spec.key}

    def as_rows(self) -> list[dict[str, Any]]:
        """What was typed, checked or not, to be shown again in unbound forms."""
        return [
            {name: form[name].value() for name in form.fields}
            | {"anchors": [{name: one[name].value() for name in one.fields} for one in form.anchors.forms]}
            for form in self.forms
        ]

    def _rows(self) -> list[dict[str, Any]]:
        return [form.cleaned_data for form in self.forms if form.cleaned_data.get("name", "").strip()]

    def _spec(self, position: int, row: dict[str, Any]) -> CriterionSpec:
        before = self.stored.get(row["key"])
        kept = row["key"] if before is not None and before.name == row["name"].strip() else ""
        spec = criterion_from_text(
            position=position, name=row["name"], definition=row["definition"], levels=row["levels"], key=kept
        )
        spec = replace(spec, kind=row["kind"], is_required=not row["may_be_left_out"])
        if spec.kind != Criterion.Kind.LEVELS:
            bounds = (row["minimum"], row["maximum"]) if spec.kind == Criterion.Kind.NUMBER else (None, None)
            return replace(spec, levels=(), minimum=bounds[0], maximum=bounds[1])
        values = {level.label: level.value for level in before.levels} if before else {}
        levels = (
            replace(
                level,
                value=values.get(level.label, level.value),
                anchors=tuple(anchor for label, anchor in row["anchors"] if label == level.label),
            )
            for level in spec.levels
        )
        return replace(spec, levels=tuple(levels))


# One more than there may be is read, so that it can be refused; a thousand would take seconds.
CriterionFormSet = forms.formset_factory(
    CriterionForm,
    formset=BaseCriterionFormSet,
    extra=0,
    max_num=MOST_CRITERIA,
    absolute_max=MOST_CRITERIA + 1,
    validate_max=True,
)


def criterion_rows(criteria: tuple[CriterionSpec, ...]) -> list[dict[str, Any]]:
    """Stored criteria, or templates, as rows of the form."""
    return [
        {
            "key": spec.key,
            "name": spec.name,
            "definition": spec.definition,
            "kind": spec.kind,
            "may_be_left_out": not spec.is_required,
            "levels": levels_as_text(spec),
            "minimum": _short(spec.minimum),
            "maximum": _short(spec.maximum),
            "anchors": [
                {"level": level.label, "body": anchor.body, "explanation": anchor.explanation}
                for level in spec.levels
                for anchor in level.anchors
            ],
        }
        for spec in criteria
    ]


def _short(bound: float | None) -> float | int | None:
    return int(bound) if bound is not None and bound.is_integer() else bound
