"""The protocol of a study in a few words: a line for each criterion, and the options that differ from silence."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Criterion, Study
from evaluation.rubrics import CriterionSpec

__all__ = ["ScaleLine", "option_lines", "scale_lines"]


@dataclass(frozen=True)
class ScaleLine:
    name: str
    answered: str
    notes: str


def scale_lines(criteria: tuple[CriterionSpec, ...]) -> list[ScaleLine]:
    return [ScaleLine(spec.name, _answered(spec), ", ".join(_notes(spec))) for spec in criteria]


def _answered(spec: CriterionSpec) -> str:
    if spec.kind == Criterion.Kind.LEVELS:
        return " < ".join(level.label for level in spec.levels)
    if spec.kind == Criterion.Kind.WORDS:
        return _("in words")
    if spec.minimum is None and spec.maximum is None:
        return _("a number")
    if spec.maximum is None:
        return _("a number from {low:g}").format(low=spec.minimum)
    if spec.minimum is None:
        return _("a number up to {high:g}").format(high=spec.maximum)
    return _("a number from {low:g} to {high:g}").format(low=spec.minimum, high=spec.maximum)


def _notes(spec: CriterionSpec) -> list[str]:
    notes = []
    if examples := sum(len(level.anchors) for level in spec.levels):
        notes.append(ngettext("{count} example", "{count} examples", examples).format(count=examples))
    if not spec.is_required:
        notes.append(_("may be left out"))
    return notes


def option_lines(study: Study) -> list[tuple[str, str]]:
    """(name, value) of the options that are in use."""
    asked = [
        words
        for used, words in (
            (study.asks_confidence, _("confidence")),
            (study.allows_highlights, _("highlights")),
            (study.asks_authorship, _("which texts people wrote")),
        )
        if used
    ]
    lines = [(_("Also asked"), ", ".join(asked))] if asked else []
    if study.repeats:
        repeats = _("{count} for each reviewer, after at least {distance} other texts")
        lines.append((_("Hidden repeats"), repeats.format(count=study.repeats, distance=study.repeat_distance)))
    if study.allows_self_registration:
        lines.append((_("Joining"), _("open to anyone with the study’s address")))
    if study.default_quota:
        lines.append((_("At most"), _("{count} texts without a personal link").format(count=study.default_quota)))
    if study.completion_code:
        lines.append((_("Completion code"), study.completion_code))
    if study.completion_url:
        lines.append((_("Address to go back to"), study.completion_url))
    if study.reminder_days:
        days = ngettext("after {count} day away", "after {count} days away", study.reminder_days)
        lines.append((_("Reminders"), days.format(count=study.reminder_days)))
    if study.agreement_from != 100:
        lines.append((_("Agreement shown"), _("from {percent} % of the ratings").format(percent=study.agreement_from)))
    return lines
