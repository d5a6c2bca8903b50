"""How each reviewer worked: checks, repeats, speed, and the use of levels. Numbers with flags, never a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluation.models import Study
from evaluation.science.quality import thresholds
from evaluation.science.quality.consistency import Consistency, self_consistency
from evaluation.science.quality.runs import chance_of_run, entropy, largest_share, longest_run
from evaluation.selectors.agreement import Scale, criterion_scales, fetch, study_raters

__all__ = ["LevelUse", "Quality", "ReviewerQuality", "Speed", "study_quality"]


@dataclass(frozen=True)
class Speed:
    """Seconds a word: the reviewer's median, and how it compares with the median of all texts that were timed."""

    n: int
    seconds_a_word: float
    relative: float
    fast: int

    @property
    def words_a_minute(self) -> float:
        return 60 / self.seconds_a_word

    @property
    def is_flagged(self) -> bool:
        if self.n < thresholds.FEWEST_TIMED:
            return False
        return self.relative < thresholds.FAST or self.words_a_minute > thresholds.SKIMMING


@dataclass(frozen=True)
class LevelUse:
    """One criterion's levels as a reviewer gave them, in the order of their texts, and on texts that came twice."""

    scale: Scale
    counts: tuple[int, ...]
    run: int
    run_level: int | None
    run_chance: float | None
    share: float | None
    share_level: int | None
    entropy: float | None
    entropy_of_all: float | None
    repeats: Consistency

    @property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def label(self) -> str:
        return "" if self.share_level is None else self.scale.labels[self.share_level]

    @property
    def run_label(self) -> str:
        return "" if self.run_level is None else self.scale.labels[self.run_level]

    @property
    def has_long_run(self) -> bool:
        return self.run_chance is not None and self.run_chance < thresholds.RUN_CHANCE

    @property
    def is_flat(self) -> bool:
        if self.n < thresholds.FEWEST_LEVELS or None in (self.share, self.entropy, self.entropy_of_all):
            return False
        assert self.share is not None and self.entropy is not None and self.entropy_of_all is not None  # noqa: S101, PT018
        return self.share >= thresholds.ONE_LEVEL and self.entropy < thresholds.ENTROPY_OF_ALL * self.entropy_of_all

    @property
    def is_inconsistent(self) -> bool:
        found = self.repeats
        return found.n >= thresholds.FEWEST_REPEATS and found.share is not None and found.share < thresholds.SAME_ANSWER


@dataclass(frozen=True)
class ReviewerQuality:
    pk: int
    label: str
    name: str
    removed: bool
    checks: int
    passed: int
    speed: Speed | None
    uses: tuple[LevelUse, ...] = field(default=())

    @property
    def failed(self) -> int:
        return self.checks - self.passed

    @property
    def failed_checks(self) -> bool:
        return self.failed >= thresholds.ATTENTION_FAILED

    @property
    def flags(self) -> int:
        of_levels = sum(use.has_long_run + use.is_flat + use.is_inconsistent for use in self.uses)
        return self.failed_checks + (self.speed is not None and self.speed.is_flagged) + of_levels


@dataclass(frozen=True)
class Quality:
    """Reviewers with an answer, by label, and what they are compared with."""

    reviewers: tuple[ReviewerQuality, ...]
    scales: tuple[Scale, ...]
    usual_seconds_a_word: float | None

    @property
    def flagged(self) -> list[ReviewerQuality]:
        return [reviewer for reviewer in self.reviewers if reviewer.flags]


def study_quality(*, study: Study) -> Quality:
    """Seven statements, whatever the size of the study."""
    scales = criterion_scales(study_id=study.pk)
    raters = study_raters(study_id=study.pk)
    checks = {reviewer: (given, passed) for reviewer, given, passed in fetch(CHECKS, study_id=study.pk)}
    timed = fetch(SPEED, study_id=study.pk)
    usual = timed[0][4] if timed else None
    speeds = {row[0]: Speed(row[1], row[2], row[2] / row[4], row[3]) for row in timed}
    given = {(reviewer, criterion): levels for reviewer, criterion, levels in fetch(LEVELS, study_id=study.pk)}
    tables: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for reviewer, criterion, first, again, count in fetch(REPEATS, study_id=study.pk):
        tables.setdefault((reviewer, criterion), []).append((first, again, count))
    of_all = {scale.pk: _entropy_of_all(scale, given) for scale in scales}
    reviewers = tuple(
        ReviewerQuality(
            rater.pk,
            rater.label,
            rater.name,
            rater.removed,
            *checks.get(rater.pk, (0, 0)),
            speed=speeds.get(rater.pk),
            uses=tuple(
                _use(scale, given.get((rater.pk, scale.pk), []), of_all[scale.pk], tables.get((rater.pk, scale.pk), []))
                for scale in scales
            ),
        )
        for rater in raters
    )
    return Quality(reviewers, tuple(scales), usual)


def _use(scale: Scale, levels: Sequence[int], of_all: float | None, twice: Sequence[tuple[int, int, int]]) -> LevelUse:
    k = len(scale.levels)
    used = Counter(levels)
    counts = tuple(used[level] for level in range(k))
    run, run_level = longest_run(levels)
    long = run >= thresholds.SHORTEST_RUN
    table = [[0] * k for _ in range(k)]
    for first, again, count in twice:
        table[first][again] += count
    share, share_level = largest_share(counts)
    return LevelUse(
        scale=scale,
        counts=counts,
        run=run,
        run_level=run_level,
        run_chance=chance_of_run([count / len(levels) for count in counts], len(levels), run) if long else None,
        share=share,
        share_level=share_level,
        entropy=entropy(counts),
        entropy_of_all=of_all,
        repeats=self_consistency(table),
    )


def _entropy_of_all(scale: Scale, given: dict[tuple[int, int], list[int]]) -> float | None:
    used = Counter(level for (_, criterion), levels in given.items() if criterion == scale.pk for level in levels)
    return entropy([used[level] for level in range(len(scale.levels))])


# The level in force at a slot and criterion.
_IN_FORCE = """(
    SELECT DISTINCT ON (rating.criterion_id) rating.criterion_id, rating.level_id
    FROM evaluation_rating rating WHERE rating.slot_id = slot.id
    ORDER BY rating.criterion_id, rating.revision DESC)"""

# A check is passed where every expected level is the one that stood when the reviewer had finished: the closing
# question that comes then lists the rated texts, from which somebody could tell which of their texts were checks.
_AT_THE_END = _IN_FORCE.replace(
    "rating.slot_id = slot.id",
    """rating.slot_id = slot.id AND rating.created_at <= coalesce(
        (SELECT member.finished_at FROM evaluation_membership member
         WHERE member.study_id = item.study_id AND member.user_id = slot.reviewer_id), 'infinity')""",
)
CHECKS = f"""
    SELECT reviewer_id, count(*), count(*) FILTER (WHERE passed) FROM (
        SELECT slot.reviewer_id, bool_and(given.level_id IS NOT DISTINCT FROM expected.level_id) AS passed
        FROM evaluation_item item
        JOIN evaluation_slot slot ON slot.item_id = item.id AND slot.state IN ('rated', 'surplus')
        JOIN evaluation_expectation expected ON expected.item_id = item.id
        LEFT JOIN LATERAL {_AT_THE_END} given ON given.criterion_id = expected.criterion_id
        WHERE item.study_id = %(study)s AND item.kind = 'attention' GROUP BY slot.id
    ) checks GROUP BY reviewer_id"""  # noqa: S608

# Words are counted as spaces: texts are shown as one running paragraph.
SPEED = f"""
    WITH items AS MATERIALIZED (
        SELECT item.id, 1 + char_length(text.body) - char_length(replace(text.body, ' ', '')) AS words
        FROM evaluation_item item JOIN corpora_text text ON text.id = item.text_id
        WHERE item.study_id = %(study)s AND item.kind IN ('rated', 'attention')
    ),
    timed AS MATERIALIZED (
        SELECT slot.reviewer_id, slot.seconds_active / items.words AS pace
        FROM items JOIN evaluation_slot slot ON slot.item_id = items.id
        WHERE slot.state IN ('rated', 'surplus') AND slot.seconds_active > 0
    ),
    usual AS MATERIALIZED (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY pace) AS median FROM timed)
    SELECT timed.reviewer_id, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY timed.pace),
           count(*) FILTER (WHERE timed.pace < usual.median * {thresholds.FAST}), usual.median
    FROM timed CROSS JOIN usual GROUP BY timed.reviewer_id, usual.median"""  # noqa: S608

LEVELS = """
    SELECT reviewer_id, criterion_id, array_agg(level_index ORDER BY position) FROM (
        SELECT DISTINCT ON (rating.slot_id, rating.criterion_id)
               slot.reviewer_id, slot.position, rating.criterion_id, level.index AS level_index
        FROM evaluation_item item
        JOIN evaluation_slot slot
          ON slot.item_id = item.id AND slot.pass_number = 0 AND slot.state IN ('rated', 'surplus')
        JOIN evaluation_rating rating ON rating.slot_id = slot.id
        JOIN evaluation_level level ON level.id = rating.level_id
        WHERE item.study_id = %(study)s AND item.kind = 'rated'
        ORDER BY rating.slot_id, rating.criterion_id, rating.revision DESC
    ) given GROUP BY reviewer_id, criterion_id"""

REPEATS = f"""
    SELECT slot.reviewer_id, first.criterion_id, level.index, level_again.index, count(*)
    FROM evaluation_item item
    JOIN evaluation_slot slot ON slot.item_id = item.id AND slot.pass_number = 0 AND slot.state IN ('rated', 'surplus')
    JOIN evaluation_slot twice
      ON twice.item_id = item.id AND twice.reviewer_id = slot.reviewer_id AND twice.pass_number > 0
     AND twice.state IN ('rated', 'surplus')
    CROSS JOIN LATERAL {_IN_FORCE} first
    JOIN LATERAL {_IN_FORCE.replace("slot.id", "twice.id")} again ON again.criterion_id = first.criterion_id
    JOIN evaluation_level level ON level.id = first.level_id
    JOIN evaluation_level level_again ON level_again.id = again.level_id
    WHERE item.study_id = %(study)s AND item.kind = 'rated'
    GROUP BY slot.reviewer_id, first.criterion_id, level.index, level_again.index"""  # noqa: S608
