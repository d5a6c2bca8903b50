"""What a researcher fills in: a batch's design, a filter of its abstracts, a language model."""

import re
import secrets
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpora.models import Corpus, EmbeddingModel
from corpora.selectors import embedding_states
from generation.models import Batch, Cell, LanguageModel, Prompt
from generation.science.backends.protocol import OptionsError
from generation.science.backends.registry import KINDS, check_options
from generation.selectors import AbstractFilter, current_prompts, offered_language_models
from generation.services import BatchSpec, SpecError

FACTORS = ("language_models", "prompts", "embedding_models", "temperatures", "queries")


class BatchForm(forms.Form):
    """A factorial grid. `spec` is what it asks for once it is valid; `factors` what could be read so far."""

    name = forms.CharField(max_length=200)
    corpus = forms.ModelChoiceField(Corpus.objects.all(), empty_label=None)
    language_models = forms.ModelMultipleChoiceField(LanguageModel.objects.none())
    prompts = forms.ModelMultipleChoiceField(Prompt.objects.none(), widget=forms.CheckboxSelectMultiple)
    embedding_models = forms.ModelMultipleChoiceField(
        EmbeddingModel.objects.order_by("name", "pk"), widget=forms.CheckboxSelectMultiple
    )
    temperatures = forms.CharField(max_length=200, initial="0.1, 0.7")
    queries = forms.CharField(widget=forms.Textarea(attrs={"rows": 4}), max_length=20_000)
    iterations = forms.IntegerField(min_value=1, max_value=1000, initial=31)
    top_n = forms.IntegerField(min_value=1, max_value=100, initial=5)
    max_new_tokens = forms.IntegerField(min_value=1, max_value=8192, initial=300)
    seed = forms.IntegerField(min_value=0, max_value=2**63 - 1, initial=lambda: secrets.randbelow(2**31))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = offered_language_models()
        runnable = [offer.model.pk for offer in self.offered if offer.availability.can_run]
        self._choose_from("language_models", LanguageModel.objects.filter(pk__in=runnable).order_by("name", "pk"))
        self._choose_from("prompts", Prompt.objects.filter(pk__in=current_prompts().values("pk")))
        for name in ("temperatures", "queries", "iterations", "top_n", "max_new_tokens", "seed"):
            self.fields[name].widget.attrs |= {"aria-describedby": f"{name}-help"}

    def _choose_from(self, name: str, queryset: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelMultipleChoiceField)  # noqa: S101  (declared above)
        field.queryset = queryset

    def clean_temperatures(self) -> list[Decimal]:
        parts = [part for part in re.split(r"[,;\s]+", self.cleaned_data["temperatures"]) if part]
        try:
            found = [Decimal(part) for part in parts]
        except InvalidOperation:
            raise forms.ValidationError(_("Write numbers with a point, separated by commas: 0.1, 0.7.")) from None
        if not all(value.is_finite() and 0 <= value <= 2 for value in found):
            raise forms.ValidationError(_("Temperatures lie from 0 to 2."))
        if any(value != round(value, 3) for value in found):
            raise forms.ValidationError(_("Temperatures have at most three decimals."))
        return list(dict.fromkeys(found))

    def clean_queries(self) -> list[str]:
        lines = (" ".join(line.split()) for line in self.cleaned_data["queries"].splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("corpus") and data.get("embedding_models"):
            complete = {state.model.pk for state in embedding_states(corpus=data["corpus"]) if state.is_complete}
            for model in data["embedding_models"]:
                if model.pk not in complete:
                    said = _("%(corpus)s is not wholly embedded under %(model)s yet.")
                    self.add_error(None, said % {"corpus": data["corpus"], "model": model})
        if not self.errors:
            try:
                self.spec.check()
            except SpecError as error:
                raise forms.ValidationError(error.problems) from error
        return data

    @property
    def factors(self) -> dict[str, list[Any]] | None:
        """The levels of each factor, or None while one of them cannot be read."""
        data = getattr(self, "cleaned_data", {})
        if any(not data.get(name) for name in (*FACTORS, "iterations")):
            return None
        return {name: list(data[name]) for name in FACTORS}

    @property
    def spec(self) -> BatchSpec:
        data = self.cleaned_data
        values = {name: data[name] for name in ("name", "corpus", "iterations", "top_n", "max_new_tokens", "seed")}
        return BatchSpec(**values, **{name: list(data[name]) for name in FACTORS})


class FilterForm(forms.Form):
    """What cannot be read filters nothing."""

    model = forms.ModelChoiceField(LanguageModel.objects.none(), required=False, empty_label=gettext_lazy("all"))
    prompt = forms.ModelChoiceField(Prompt.objects.none(), required=False, empty_label=gettext_lazy("all"))
    temperature = forms.TypedChoiceField(coerce=Decimal, required=False, empty_value=None)
    cell = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, batch: Batch, cells: list[Cell]) -> None:
        super().__init__(data)
        models = {cell.language_model_id for cell in cells}
        prompts = {cell.prompt_id for cell in cells}
        temperatures = sorted({cell.temperature for cell in cells})
        fields: dict[str, Any] = self.fields
        fields["model"].queryset = LanguageModel.objects.filter(pk__in=models).order_by("name", "pk")
        fields["prompt"].queryset = Prompt.objects.filter(pk__in=prompts)
        shown = [(str(value), f"{value.normalize():f}") for value in temperatures]
        fields["temperature"].choices = [("", _("all")), *shown]
        self.is_valid()

    @property
    def chosen(self) -> AbstractFilter:
        data = self.cleaned_data
        return AbstractFilter(
            cell=data.get("cell"),
            language_model=data["model"].pk if data.get("model") else None,
            prompt=data["prompt"].pk if data.get("prompt") else None,
            temperature=data.get("temperature"),
        )

    @property
    def after_run(self) -> int:
        return self.cleaned_data.get("after") or 0


class LanguageModelForm(forms.Form):
    """A model of a user's own, behind a server or in a folder."""

    backend = forms.ChoiceField(
        choices=[(name, gettext_lazy(KINDS[name].label)) for name in ("openai", "transformers")]
    )
    name = forms.CharField(max_length=200)
    model = forms.CharField(max_length=300)
    revision = forms.CharField(max_length=100, required=False)
    base_url = forms.CharField(max_length=300, required=False)
    api_key_env = forms.CharField(max_length=100, required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        names = ("base_url", "model", "api_key_env") if data["backend"] == "openai" else ("model", "revision")
        data["options"] = {name: data[name].strip() for name in names if data[name].strip()}
        data["revision"] = data["revision"].strip() or "unnamed"
        data["key"] = slugify(data["name"])[:60]
        if not data["key"]:
            self.add_error("name", _("Use letters or digits."))
        elif LanguageModel.objects.filter(key=data["key"], revision=data["revision"]).exists():
            self.add_error("name", _("There is a model of that name and revision already."))
        try:
            check_options(data["backend"], data["options"])
        except OptionsError as error:
            self.add_error(None, str(error))
        return data
