"""Whether a draft can be launched, and what its owner may want to know first."""

from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Criterion, Study

__all__ = ["Readiness", "readiness"]


@dataclass(frozen=True)
class Readiness:
    """Texts by kind; what stands in the way of a launch, and what does not but may be unwanted."""

    rated: int
    practice: int
    attention: int
    obstacles: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class _Kind:
    count: int = 0
    without_level: int = 0
    ids_without_level: str = ""
    also_rated: int = 0
    ids_also_rated: str = ""
    generated: int = 0


def readiness(*, study: Study) -> Readiness:
    """Two statements, whatever the size of the study."""
    kinds = _kinds(study)
    rated, practice, attention = (kinds.get(kind, _Kind()) for kind in ("rated", "practice", "attention"))
    has_levels = study.criteria.filter(kind=Criterion.Kind.LEVELS).exists()
    obstacles: list[str] = []
    remarks: list[str] = []
    if not rated.count:
        obstacles.append(_("There is no text to rate yet. Add some before the launch."))
    if attention.without_level:
        obstacles.append(
            ngettext(
                "{count} attention check has no expected level, so it cannot be passed ({ids}). Give it one, on a "
                "criterion with levels, or take it out.",
                "{count} attention checks have no expected level, so they cannot be passed ({ids}). Give them one, on "
                "a criterion with levels, or take them out.",
                attention.without_level,
            ).format(count=attention.without_level, ids=attention.ids_without_level)
        )
    if rated.count:
        _about_repeats(study, rated.count, obstacles, remarks)
    if not has_levels:
        remarks.append(_("No criterion has levels, so there will be no agreement to report."))
    if practice.without_level:
        remarks.append(
            ngettext(
                "{count} practice text has no expected level, so it tells its reviewer nothing about their choice "
                "({ids}).",
                "{count} practice texts have no expected levels, so they tell reviewers nothing about their choice "
                "({ids}).",
                practice.without_level,
            ).format(count=practice.without_level, ids=practice.ids_without_level)
        )
    for kind, found in ((_("practice"), practice), (_("attention check"), attention)):
        if found.also_rated:
            remarks.append(
                ngettext(
                    "{count} text is both rated and for {kind} ({ids}): who has met it once knows it.",
                    "{count} texts are both rated and for {kind} ({ids}): who has met one once knows it.",
                    found.also_rated,
                ).format(count=found.also_rated, kind=kind, ids=found.ids_also_rated)
            )
    stretches = -(-_most_given(study, rated.count) // study.attention_every)
    if 0 < stretches < attention.count:
        remarks.append(
            _("A reviewer meets {met} of the {all} attention checks: one within each {every} texts.").format(
                met=stretches, all=attention.count, every=study.attention_every
            )
        )
    if study.asks_authorship and rated.count and rated.generated == rated.count:
        remarks.append(_("The closing question asks which texts people wrote, but all of them are generated."))
    return Readiness(rated.count, practice.count, attention.count, tuple(obstacles), tuple(remarks))


def _most_given(study: Study, rated: int) -> int:
    return rated if study.default_quota is None else min(rated, study.default_quota)


def _about_repeats(study: Study, rated: int, obstacles: list[str], remarks: list[str]) -> None:
    given = _most_given(study, rated)
    if study.repeats >= given:
        if study.repeats:
            obstacles.append(
                _(
                    "{repeats} hidden repeats need more than {repeats} texts for each reviewer; there are {given}. "
                    "Add texts, or ask for fewer repeats."
                ).format(repeats=study.repeats, given=given)
            )
    elif study.repeats and study.repeats + study.repeat_distance > given:
        remarks.append(
            _(
                "With {given} texts for each reviewer, some of the {repeats} repeats come sooner than after "
                "{distance} other texts."
            ).format(given=given, repeats=study.repeats, distance=study.repeat_distance)
        )


def _kinds(study: Study) -> dict[str, _Kind]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT kind, count(*), count(*) FILTER (WHERE NOT has_level),
                   coalesce(array_to_string((array_agg(external_id ORDER BY position)
                       FILTER (WHERE NOT has_level))[1:5], ', '), ''),
                   count(*) FILTER (WHERE also_rated),
                   coalesce(array_to_string((array_agg(external_id ORDER BY position)
                       FILTER (WHERE also_rated))[1:5], ', '), ''),
                   count(abstract_id)
            FROM (
                SELECT item.kind, item.position, item.external_id, item.abstract_id,
                       item.kind = 'rated' OR EXISTS (
                           SELECT 1 FROM evaluation_expectation expected WHERE expected.item_id = item.id) AS has_level,
                       item.kind <> 'rated' AND EXISTS (
                           SELECT 1 FROM evaluation_item other WHERE other.study_id = item.study_id
                           AND other.text_id = item.text_id AND other.kind = 'rated') AS also_rated
                FROM evaluation_item item WHERE item.study_id = %s) AS given
            GROUP BY kind
            """,
            [study.pk],
        )
        return {kind: _Kind(*row) for kind, *row in cursor.fetchall()}
