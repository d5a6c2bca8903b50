"""What a person says about a file of ratings, checked before it is read."""

from __future__ import annotations

import csv
import re
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.reports.phrases import worded
from evaluation.reports.uploaded import LARGEST_FILE, KeptFile, kept_file
from evaluation.science.reading.options import ReadOptions

__all__ = ["RatingsFileForm", "in_page_terms"]

COLUMN = 200
# The reader speaks of the command line's options; a page has fields.
OPTIONS = {
    "levels": _("Levels"),
    "fold": _("Fold spellings"),
    "duplicates last": _("Take the later one"),
    "item": _("Item column"),
    "rater": _("Rater columns"),
    "value": _("Rating column"),
    "criterion": _("Criterion column"),
    "cluster": _("Cluster column"),
}


class RatingsFileForm(forms.Form):
    file = forms.FileField(
        required=False,
        label=_("File"),
        help_text=_("CSV, TSV or XLSX, up to 20 MB and 200,000 ratings."),
    )
    kept = forms.UUIDField(required=False, widget=forms.HiddenInput)
    levels = forms.CharField(
        required=False,
        max_length=5000,
        label=_("Levels"),
        help_text=_(
            "All of them, lowest first, parted by commas: low, medium, high. May stay empty where levels are numbers."
        ),
    )
    shape = forms.ChoiceField(
        label=_("Shape"),
        required=False,
        choices=[
            ("", _("detect it")),
            ("wide", _("wide: one column a rater")),
            ("long", _("long: one row a rating")),
        ],
    )
    fold = forms.BooleanField(
        required=False,
        label=_("Fold spellings"),
        help_text=_("“Medium ” and “medium” are one level."),
    )
    take_later = forms.BooleanField(
        required=False,
        label=_("Take the later one"),
        help_text=_("where a rater rated an item twice, differently. Otherwise the file is refused, naming both rows."),
    )
    item = forms.CharField(required=False, max_length=COLUMN, label=_("Item column"))
    rater = forms.CharField(
        required=False,
        max_length=5000,
        label=_("Rater columns"),
        help_text=_("Long: the column that names the rater. Wide: the columns that are raters, parted by commas."),
    )
    value = forms.CharField(
        required=False,
        max_length=COLUMN,
        label=_("Rating column"),
        help_text=_("Long files only."),
    )
    criterion = forms.CharField(required=False, max_length=COLUMN, label=_("Criterion column"))
    cluster = forms.CharField(
        required=False, max_length=COLUMN, label=_("Cluster column"), help_text=_("Intervals then resample its groups.")
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, initial=0, label=_("Seed"), help_text=_("Of the resamples.")
    )

    def __init__(self, *args: Any, user_id: int, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.user_id = user_id
        self.fields["file"].widget.attrs["accept"] = ".csv,.tsv,.txt,.xlsx"

    def clean_levels(self) -> tuple[str, ...] | None:
        """The field, or the places that a person gave to the values found in the file."""
        return _listed(self.cleaned_data["levels"]) or self._placed()

    def clean_rater(self) -> tuple[str, ...]:
        return _listed(self.cleaned_data["rater"])

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        upload, kept = found.get("file"), found.get("kept")
        if upload is not None and upload.size > LARGEST_FILE:
            self.add_error(
                "file",
                gettext("%(file)s is larger than 20 MB. The command line has no limit: kappagraph agreement FILE")
                % {"file": upload.name},
            )
        elif upload is not None:
            found["source"] = KeptFile(upload.name, upload.read())
        elif kept is not None and (source := kept_file(user_id=self.user_id, file_id=kept)):
            found["source"] = source
        elif "file" not in self.errors:
            again = gettext("The file was kept for a quarter of an hour, which is over: choose it again.")
            self.add_error("file", again if kept else gettext("Choose a file."))
        return found

    def reading(self) -> ReadOptions:
        given = self.cleaned_data
        return ReadOptions(
            levels=given["levels"],
            shape=given["shape"] or None,
            item=given["item"] or None,
            raters=given["rater"],
            value=given["value"] or None,
            criterion=given["criterion"] or None,
            cluster=given["cluster"] or None,
            duplicates="last" if given["take_later"] else "error",
            fold=given["fold"],
        )

    def _placed(self) -> tuple[str, ...] | None:
        """Values by the place each was given; one without a place is no level."""
        if not hasattr(self.data, "getlist"):
            return None
        pairs = list(zip(self.data.getlist("found"), self.data.getlist("place"), strict=False))[:100]
        given = [(place.strip(), value) for value, place in pairs if place.strip()]
        if not given:
            return None
        if not all(re.fullmatch(r"[0-9]{1,3}", place) for place, _ in given):
            raise forms.ValidationError(gettext("Places are whole numbers: 1 for the lowest level, 2 for the next."))
        ordered = sorted((int(place), value) for place, value in given)
        if len({place for place, _ in ordered}) < len(ordered):
            raise forms.ValidationError(gettext("Two levels were given one place: give each a place of its own."))
        return tuple(value for _, value in ordered)


def in_page_terms(message: str) -> str:
    """A message of the reader with the names of fields in place of options."""
    message = worded(message).replace("with --levels, as in --levels low,medium,high", "below")
    named = "|".join(sorted(OPTIONS, key=len, reverse=True))
    return re.sub(rf"--({named})(?: COLUMN)?", lambda found: f"“{OPTIONS[found[1]]}”", message)


def _listed(text: str) -> tuple[str, ...]:
    """Split as a line of CSV, so that a name may hold a comma in quotes."""
    try:
        rows = list(csv.reader([text], skipinitialspace=True))
    except csv.Error as error:
        raise forms.ValidationError(gettext("Write one line, parted by commas.")) from error
    return tuple(cell.strip() for cell in rows[0]) if rows and text.strip() else ()
