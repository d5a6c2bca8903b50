"""The end of a reviewer's work: noted once, when a claim came back empty; and the closing question."""

from collections.abc import Mapping
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from accounts.models import User
from evaluation.errors import RatingRefused
from evaluation.models import AuthorshipGuess, Membership, Study
from evaluation.selectors.standing import more_may_come, reviewer_standing

__all__ = ["note_end", "record_guesses"]


@transaction.atomic
def note_end(*, study_id: int, reviewer: User) -> Membership:
    """Set `finished_at` when the quota is reached, or when nothing is left and no seat could still become free.

    To be called after a claim that gave nothing. Whoever skipped more texts than they answered has not finished: what
    waits at the end, a panel's pay perhaps, is for the work.
    """
    member = Membership.objects.select_related("study", "user").get(
        study_id=study_id, user=reviewer, role=Membership.Role.REVIEWER, removed_at__isnull=True
    )
    if member.finished_at is not None or member.study.state != Study.State.OPEN:
        return member
    standing = reviewer_standing(study_id=study_id, reviewer=reviewer, quota=member.quota, size=member.study.item_count)
    has_worked = 0 < standing.answered >= standing.skipped
    if has_worked and not more_may_come(study_id=study_id, reviewer=reviewer, standing=standing):
        Membership.objects.filter(pk=member.pk, finished_at__isnull=True).update(finished_at=Now())
        member.refresh_from_db(fields=["finished_at"])
    return member


def record_guesses(*, member: Membership, guesses: Mapping[UUID, str]) -> int:
    """Store who is thought to have written the texts behind these slots; the last guess holds. Returns how many.

    Raises
    ------
    RatingRefused
        The study asks no such question, is closed, or the reviewer has not finished: the question must not come to mind
        while texts are being rated.
    """
    study = member.study
    if not study.asks_authorship or study.state != Study.State.OPEN or member.finished_at is None:
        raise RatingRefused(gettext("This is asked at the end of an open study only."))
    if not set(guesses.values()) <= set(AuthorshipGuess.Guess.values):
        raise RatingRefused(gettext("A text was written by a person or by a machine, or you cannot tell."))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO evaluation_authorshipguess (item_id, reviewer_id, guess, created_at)
            SELECT slot.item_id, slot.reviewer_id, sent.guess, clock_timestamp()
            FROM unnest(%(slots)s::uuid[], %(guesses)s::text[]) AS sent(slot, guess)
            JOIN evaluation_slot slot ON slot.public_id = sent.slot AND slot.reviewer_id = %(reviewer)s
            JOIN evaluation_item item ON item.id = slot.item_id AND item.study_id = %(study)s
            WHERE item.kind = 'rated' AND slot.pass_number = 0 AND slot.state IN ('rated', 'surplus')
            ON CONFLICT (item_id, reviewer_id) DO UPDATE SET guess = EXCLUDED.guess, created_at = EXCLUDED.created_at
            """,
            {
                "slots": list(guesses),
                "guesses": list(guesses.values()),
                "reviewer": member.user_id,
                "study": member.study_id,
            },
        )
        return int(cursor.rowcount)
