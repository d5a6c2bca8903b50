"""How fast ratings come in, from whom, and when the last one may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import connection
from django.utils import timezone

from evaluation.models import Study
from evaluation.science.quality.forecast import Forecast, days_left
from evaluation.selectors.agreement import fetch

__all__ = [
    "Absent",
    "Pace",
    "ReviewerPace",
    "WaitingText",
    "absent_people",
    "reviewer_pace",
    "study_pace",
    "waiting_texts",
]

# The forecast rests on the last fortnight: long enough for two weekends, short enough to notice a change.
WINDOW = 14


@dataclass(frozen=True)
class Pace:
    """Ratings of rated texts by day (UTC), active time, and the forecast; `forecast.reason` says why there is none."""

    days: tuple[tuple[date, int], ...]
    ratings: int
    minutes: float
    median_seconds: float | None
    forecast: Forecast
    now: datetime

    @property
    def end(self) -> datetime | None:
        return None if self.forecast.days is None else self.now + timedelta(days=self.forecast.days)

    @property
    def range(self) -> tuple[datetime, datetime] | None:
        if self.forecast.ci is None:
            return None
        low, high = self.forecast.ci
        return self.now + timedelta(days=low), self.now + timedelta(days=min(high, 36500))


@dataclass(frozen=True)
class ReviewerPace:
    """A reviewer who came: what they were given, what became of it, and their active time."""

    pk: int
    name: str
    removal: str
    joined_at: datetime
    finished_at: datetime | None
    seen_at: datetime | None
    reminded_at: datetime | None
    quota: int | None
    given: int
    rated: int
    surplus: int
    in_hand: int
    skipped: int
    expired: int
    minutes: float
    median_seconds: float | None
    last_answer: datetime | None

    @property
    def state(self) -> str:
        if self.removal:
            return "removed"
        if self.finished_at is not None:
            return "finished"
        return "rating" if self.given else "not-begun"


@dataclass(frozen=True)
class Absent:
    """Somebody who was invited and has not come."""

    name: str
    email: str
    sent_at: datetime | None
    expires_at: datetime
    is_over: bool


@dataclass(frozen=True)
class WaitingText:
    """A text that lacks ratings, and what became of those to whom it was given."""

    position: int
    external_id: str
    rated: int
    in_hand: int
    skipped: int
    expired: int


def study_pace(*, study: Study, now: datetime | None = None) -> Pace:
    """Two statements. Days without a rating count as 0: until today while the study is open, else until the last."""
    now = (now or timezone.now()).astimezone(UTC)
    rows = fetch(DAYS, study_id=study.pk)
    counts = dict(rows)
    ((ratings, minutes, median, seats, capacity, more_may_come),) = fetch(TOTALS, study_id=study.pk)
    left = seats - ratings
    if study.state != Study.State.OPEN:
        forecast = Forecast(None, None, None, None, "the study takes no ratings now")
    elif left > capacity and not more_may_come:
        reason = f"the reviewers' quotas leave {left - capacity} of {left} ratings to nobody"
        forecast = Forecast(None, None, None, None, reason)
    else:
        forecast = days_left(_window(study, counts, now.date()), left=left)
    until = now.date() if study.state == Study.State.OPEN else date.min
    return Pace(_filled(counts, until), ratings, minutes, median, forecast, now)


def reviewer_pace(*, study: Study) -> list[ReviewerPace]:
    """Everybody who came to rate, in the order in which they came: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(REVIEWERS, {"study": study.pk})
        return [ReviewerPace(*row) for row in cursor.fetchall()]


def absent_people(*, study: Study) -> list[Absent]:
    """Those whose personal link was never used: one statement. They are in no count of reviewers."""
    now = timezone.now()
    links = study.invitations.filter(accepted_at__isnull=True, revoked_at__isnull=True).exclude(kind="shared")
    return [
        Absent(name, email, sent_at, expires_at, expires_at <= now)
        for name, email, sent_at, expires_at in links.order_by("name", "pk").values_list(
            "name", "email", "sent_at", "expires_at"
        )
    ]


def waiting_texts(*, study: Study, limit: int = 10) -> list[WaitingText]:
    """Texts that lack ratings, the fewest rated first, then those given up most often: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING, {"study": study.pk, "limit": limit})
        return [WaitingText(*row) for row in cursor.fetchall()]


def _window(study: Study, counts: dict[date, int], today: date) -> list[int]:
    """Ratings on the whole days behind us: neither today nor the day of the launch."""
    launched = study.launched_at.astimezone(UTC).date() if study.launched_at else today
    number = min(WINDOW, (today - launched).days - 1)
    return [counts.get(today - timedelta(days=back), 0) for back in range(number, 0, -1)]


def _filled(counts: dict[date, int], until: date) -> tuple[tuple[date, int], ...]:
    if not counts:
        return ()
    first, last = min(counts), max(*counts, until)
    return tuple(
        (day, counts.get(day, 0)) for day in (first + timedelta(days=n) for n in range((last - first).days + 1))
    )


DAYS = """
    SELECT (slot.answered_at AT TIME ZONE 'UTC')::date AS day, count(*)
    FROM evaluation_item item
    JOIN evaluation_slot slot ON slot.item_id = item.id AND slot.pass_number = 0 AND slot.state = 'rated'
    WHERE item.study_id = %(study)s AND item.kind = 'rated' AND slot.answered_at IS NOT NULL
    GROUP BY day ORDER BY day"""

TOTALS = """
    WITH rated AS MATERIALIZED (
        SELECT slot.reviewer_id, slot.seconds_active
        FROM evaluation_item item
        JOIN evaluation_slot slot ON slot.item_id = item.id AND slot.pass_number = 0 AND slot.state = 'rated'
        WHERE item.study_id = %(study)s AND item.kind = 'rated'
    ),
    by_reviewer AS (SELECT reviewer_id, count(*) AS number FROM rated GROUP BY reviewer_id),
    texts AS (SELECT count(*) AS number FROM evaluation_item item
              WHERE item.study_id = %(study)s AND item.kind = 'rated')
    SELECT (SELECT count(*) FROM rated), (SELECT coalesce(sum(seconds_active), 0) / 60 FROM rated),
           (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds_active) FROM rated WHERE seconds_active > 0),
           texts.number * study.raters_per_item,
           (SELECT coalesce(sum(greatest(0, least(coalesce(member.quota, texts.number), texts.number)
                                            - coalesce(by_reviewer.number, 0))), 0)::bigint
            FROM evaluation_membership member
            LEFT JOIN by_reviewer ON by_reviewer.reviewer_id = member.user_id
            WHERE member.study_id = study.id AND member.role = 'reviewer' AND member.removed_at IS NULL
              AND member.finished_at IS NULL),
           study.allows_self_registration OR EXISTS (
                SELECT FROM evaluation_invitation invitation
                WHERE invitation.study_id = study.id AND invitation.revoked_at IS NULL
                  AND invitation.expires_at > clock_timestamp()
                  AND (invitation.kind = 'shared' OR invitation.accepted_at IS NULL))
    FROM evaluation_study study CROSS JOIN texts WHERE study.id = %(study)s"""

REVIEWERS = """
    SELECT member.id, coalesce(nullif(trim(person.first_name || ' ' || person.last_name), ''), person.username),
           member.removal, member.joined_at, member.finished_at, member.seen_at, member.reminded_at, member.quota,
           count(mine.id),
           count(mine.id) FILTER (WHERE mine.state = 'rated'),
           count(mine.id) FILTER (WHERE mine.state = 'surplus'),
           count(mine.id) FILTER (WHERE mine.state = 'claimed'),
           count(mine.id) FILTER (WHERE mine.state = 'skipped'),
           count(mine.id) FILTER (WHERE mine.state = 'expired'),
           coalesce(sum(mine.seconds_active), 0) / 60,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY mine.seconds_active)
               FILTER (WHERE mine.state IN ('rated', 'surplus') AND mine.seconds_active > 0),
           max(mine.answered_at)
    FROM evaluation_membership member
    JOIN accounts_user person ON person.id = member.user_id
    LEFT JOIN (
        SELECT slot.* FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
        WHERE item.study_id = %(study)s AND item.kind = 'rated' AND slot.pass_number = 0
    ) mine ON mine.reviewer_id = member.user_id
    WHERE member.study_id = %(study)s AND member.role = 'reviewer'
    GROUP BY member.id, person.id ORDER BY member.number"""

WAITING = """
    SELECT item.position, item.external_id, tally.rated, tally.in_hand, tally.skipped, tally.expired
    FROM evaluation_item item
    JOIN evaluation_study study ON study.id = item.study_id
    JOIN LATERAL (
        SELECT count(*) FILTER (WHERE slot.state = 'rated') AS rated,
               count(*) FILTER (WHERE slot.state = 'claimed') AS in_hand,
               count(*) FILTER (WHERE slot.state = 'skipped') AS skipped,
               count(*) FILTER (WHERE slot.state = 'expired') AS expired
        FROM evaluation_slot slot WHERE slot.item_id = item.id AND slot.pass_number = 0
    ) tally ON tally.rated < study.raters_per_item
    WHERE item.study_id = %(study)s AND item.kind = 'rated'
    ORDER BY tally.rated, tally.skipped + tally.expired DESC, item.position LIMIT %(limit)s"""
