"""How reviewers worked: figures with flags, and what a flag may also mean. Nothing is decided here."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from evaluation.models import Study
from evaluation.reports.export.cells import csv_flag, csv_text
from evaluation.reports.export.columns import repr_number
from evaluation.science.quality import thresholds
from evaluation.selectors.quality import LevelUse, Quality, ReviewerQuality, study_quality
from studio.access import researcher_required
from studio.studies.tabs import study_page

Row = dict[str, Any]


@require_GET
@researcher_required
def quality(request: HttpRequest, public_id: UUID) -> HttpResponse:
    study = get_object_or_404(Study, public_id=public_id)
    found = study_quality(study=study)
    context = study_page(study, "quality") | {
        "quality": found,
        "flagged": [(reviewer, list(_notes(reviewer))) for reviewer in found.flagged],
        "thresholds": {name.lower(): getattr(thresholds, name) for name in thresholds.__all__},
        "usual_pace": None if not found.usual_seconds_a_word else 60 / found.usual_seconds_a_word,
    }
    return render(request, "studio/studies/quality.html", context)


@require_GET
@researcher_required
def quality_csv(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The same figures, a row for each reviewer and criterion."""
    study = get_object_or_404(Study, public_id=public_id)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{slugify(study.title)[:60] or 'study'}-quality.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    writer = csv.writer(response, lineterminator="\r\n")
    for number, row in enumerate(_rows(study_quality(study=study))):
        if not number:
            writer.writerow(row)
        writer.writerow(row.values())
    return response


def _notes(reviewer: ReviewerQuality) -> Iterator[dict[str, str]]:
    """For each flag what was seen, and what it may mean besides."""
    if reviewer.failed_checks:
        seen = ngettext(
            "%(failed)s of %(number)s attention check was answered with another level than expected.",
            "%(failed)s of %(number)s attention checks were answered with another level than expected.",
            reviewer.checks,
        )
        yield {
            "seen": seen % {"failed": reviewer.failed, "number": reviewer.checks},
            "also": _("A check may be unclear: see whether others fail the same one."),
        }
    speed = reviewer.speed
    if speed is not None and speed.is_flagged:
        yield {
            "seen": _(
                "Half of the texts took less than %(seconds)s s a word, %(relative)s of what is usual here: "
                "%(pace)s words a minute."
            )
            % {
                "seconds": number_format(speed.seconds_a_word, 2),
                "relative": _percent(speed.relative),
                "pace": number_format(round(speed.words_a_minute), 0),
            },
            "also": _("Someone who knows the field reads fast, and time away from the page is not counted."),
        }
    for use in reviewer.uses:
        yield from _notes_on_levels(use)


def _notes_on_levels(use: LevelUse) -> Iterator[dict[str, str]]:
    named = {"criterion": use.scale.name, "number": use.n}
    if use.has_long_run:
        yield {
            "seen": _("%(criterion)s: “%(level)s” %(run)s times in a row, of %(number)s ratings.")
            % (named | {"level": use.run_label, "run": use.run}),
            "also": _("Texts that came one after the other may really be alike."),
        }
    if use.is_flat and use.share is not None:
        yield {
            "seen": _(
                "%(criterion)s: “%(level)s” in %(share)s of %(number)s ratings, "
                "while all together use the levels more evenly."
            )
            % (named | {"level": use.label, "share": _percent(use.share)}),
            "also": _("The reviewer may have been given texts of one kind, or read the definitions strictly."),
        }
    if use.is_inconsistent:
        repeats = use.repeats
        yield {
            "seen": _("%(criterion)s: the same level in %(same)s of %(twice)s texts that came twice.")
            % (named | {"same": repeats.same, "twice": repeats.n}),
            "also": _("Judgements may have become clearer meanwhile; see whether they moved in one direction."),
        }


def _percent(share: float) -> str:
    return f"{number_format(100 * share, 0)} %"


def _rows(found: Quality) -> Iterator[Row]:
    for reviewer in found.reviewers:
        speed = reviewer.speed
        for use in reviewer.uses:
            repeats = use.repeats
            yield {
                "label": csv_text(reviewer.label),
                "reviewer": csv_text(reviewer.name),
                "removed": csv_flag(reviewer.removed),
                "criterion": csv_text(use.scale.key),
                "ratings": str(use.n),
                "attention_checks": str(reviewer.checks),
                "attention_passed": str(reviewer.passed),
                "attention_flagged": csv_flag(reviewer.failed_checks),
                "texts_timed": "" if speed is None else str(speed.n),
                "seconds_a_word": "" if speed is None else repr_number(speed.seconds_a_word),
                "of_usual": "" if speed is None else repr_number(speed.relative),
                "words_a_minute": "" if speed is None else repr_number(speed.words_a_minute),
                "fast_texts": "" if speed is None else str(speed.fast),
                "speed_flagged": csv_flag(speed is not None and speed.is_flagged),
                "longest_run": str(use.run),
                "longest_run_level": csv_text(use.run_label),
                "longest_run_chance": "" if use.run_chance is None else repr_number(use.run_chance),
                "run_flagged": csv_flag(use.has_long_run),
                "largest_share": "" if use.share is None else repr_number(use.share),
                "largest_share_level": csv_text(use.label),
                "entropy": "" if use.entropy is None else repr_number(use.entropy),
                "entropy_of_all": "" if use.entropy_of_all is None else repr_number(use.entropy_of_all),
                "one_level_flagged": csv_flag(use.is_flat),
                "rated_twice": str(repeats.n),
                "same_level": str(repeats.same),
                "self_linear_kappa": "" if repeats.linear_kappa is None else repr_number(repeats.linear_kappa),
                "consistency_flagged": csv_flag(use.is_inconsistent),
            }
