"""What researchers type and upload."""

import re
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpora.importers import Refused, open_export
from corpora.models import Corpus, EmbeddingModel

MEGABYTE = 1024 * 1024


class ExportField(forms.FileField):
    """A file that can be imported: small enough, and recognised by its first rows."""

    default_error_messages = {
        "empty": gettext_lazy("The file is empty. Export the records again, with Title, DOI and Abstract.")
    }

    def clean(self, data: Any, initial: Any = None) -> Any:
        file: TemporaryUploadedFile = super().clean(data, initial)
        if not re.search(r"\w", file.name or ""):
            raise forms.ValidationError(_("The file has no name that could be kept. Give it one, such as export.csv."))
        limit = settings.IMPORT_MAX_MEGABYTES
        if file.size and file.size > limit * MEGABYTE:
            raise forms.ValidationError(
                _(
                    "%(file)s has %(size).0f MB; at most %(limit)d MB can be uploaded. Split the export by year, or "
                    "ask the operator to import it with `manage.py import_corpus`."
                )
                % {"file": file.name, "size": file.size / MEGABYTE, "limit": limit}
            )
        try:
            open_export(Path(file.temporary_file_path()), name=file.name)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return file


class PlainForm(forms.Form):
    """Labels without a colon, as on the other pages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)


class ImportForm(PlainForm):
    file = ExportField(
        label=gettext_lazy("Export file"),
        help_text=gettext_lazy(
            "CSV from Scopus with Title, DOI and Abstract, or another table with at least Title and Abstract."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
    )


class NewCorpusForm(ImportForm):
    name = forms.CharField(
        max_length=200,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Such as “Mineral processing, open access 2024”."),
    )
    description = forms.CharField(
        required=False,
        label=gettext_lazy("Description"),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=5000,
        help_text=gettext_lazy(
            "The search that the export came from, its date, anything you will want to know in a year."
        ),
    )

    field_order = ["name", "description", "file"]

    def clean_name(self) -> str:
        name = " ".join(str(self.cleaned_data["name"]).split())
        if Corpus.objects.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("There is a corpus of that name already; its page takes further documents."))
        return name


class QueryForm(PlainForm):
    """A test query against the models under which the corpus has vectors."""

    query = forms.CharField(
        max_length=2000, label=gettext_lazy("Question"), widget=forms.Textarea(attrs={"rows": 3, "maxlength": 2000})
    )
    model = forms.ModelChoiceField(
        queryset=EmbeddingModel.objects.none(),
        label=gettext_lazy("Embedding model"),
        empty_label=None,
        error_messages={
            "required": gettext_lazy("Embed the corpus first; then it can be asked."),
            "invalid_choice": gettext_lazy("The corpus has no vectors under that model yet."),
        },
    )
    top_n = forms.IntegerField(min_value=1, max_value=100, initial=5, label=gettext_lazy("How many"))

    def __init__(self, *args: Any, models: QuerySet[EmbeddingModel], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].queryset = models  # type: ignore[attr-defined]
