"""What a report says about how its figures came about, for a study and for a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.reports.data import StudyData

__all__ = ["file_method", "study_method"]

SCALE = gettext_lazy(
    "Weighted coefficients use the declared order of the levels, and every declared level counts, used or not. Raters "
    "are aligned by item."
)
INTERVALS = gettext_lazy(
    # xgettext:no-python-format
    "Intervals of 95 % come from the method that was measured to cover best: the jackknife with Student’s t on "
    "Fisher’s z scale, Wilson’s for plain shares."
)
EXACT = gettext_lazy(
    "Exact p-values come from enumeration, or from Monte Carlo where there is too much to enumerate. The χ² test of "
    "independence is listed under its own name: it says whether ratings are associated, not whether raters use the "
    "levels alike."
)
UNDEFINED = gettext_lazy("What is undefined is named, with its reason, and never printed as 0 or 1.")


def study_method(*, data: StudyData, figures: Mapping[str, Any]) -> dict[str, Any]:
    raters = [f"{rater.label} {rater.name}{' ' + _('(removed)') if rater.removed else ''}" for rater in data.raters]
    settings = figures["settings"]
    return {
        "notes": [
            _(
                "Counted is the last revision of each rating, from first passes of rated items, by reviewers who were "
                "not removed. Practice items, attention checks and hidden repeats are set aside."
            ),
            SCALE,
            f"{INTERVALS} {_units(data, settings)}",
            EXACT,
            _(
                "Correlations are of ranks, between the item’s mean rating and the measure. Permutation p-values "
                "shuffle ratings within a cell of the generation grid, or within a question. Holm and "
                "Benjamini–Hochberg adjust over all defined tests of the report."
            ),
            UNDEFINED,
        ],
        "raters": raters,
        "hashes": [(_("Data"), data.sha256), (_("Score settings"), data.score_settings)],
        "version": figures["version"],
        "seed": settings["seed"],
    }


def file_method(*, document: Mapping[str, Any], file_sha256: str) -> dict[str, Any]:
    settings, criteria = document["settings"], document["criteria"]
    units = _("Items are the units.")
    if settings["cluster"]:
        units = _("Items are resampled by %(column)s.") % {"column": settings["cluster"]}
    return {
        "notes": [SCALE, f"{INTERVALS} {units}", EXACT, UNDEFINED],
        "raters": list(dict.fromkeys(name for found in criteria for name in found["rater_names"])),
        "hashes": [
            (_("File"), file_sha256),
            *((found["criterion"] or _("Data"), found["data_sha256"]) for found in criteria),
        ],
        "version": document["version"],
        "seed": settings["seed"],
    }


def _units(data: StudyData, settings: Mapping[str, Any]) -> str:
    questions = settings["questions"]
    if settings["resampled_by"] == "question":
        return _("Items are nested in %d questions and resampled by question.") % questions
    if questions < len(data.items):
        return (
            ngettext(
                "Items are the units; they are nested in %d question, too few to resample by question, so read "
                "intervals as holding for this question only.",
                "Items are the units; they are nested in %d questions, too few to resample by question, so read "
                "intervals as holding for these questions only.",
                questions,
            )
            % questions
        )
    return _("Items are the units; each answers a question of its own.")
