"""Settling what holds for a text its raters disagree about. Revisions are append-only and never enter agreement."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Adjudication, Item, Level, Study
from evaluation.selectors.opening import require_opened

__all__ = ["LONGEST_REASON", "adjudicate"]

LONGEST_REASON = 5_000


@transaction.atomic
def adjudicate(
    *, study: Study, item: Item, levels: Mapping[str, int], reason: str, decided_by: User
) -> list[Adjudication]:
    """Store a level for each of these criteria; the same level for the same reason again stores nothing.

    Parameters
    ----------
    levels
        Index of the level, by the key of its criterion. Criteria left out stay as they are.

    Raises
    ------
    AgreementHidden
        The ratings may not be seen yet.
    StudyError
        The text is none of the study's rated ones or has no rating, a level does not exist, or the reason is missing
        or too long; nothing is stored.
    """
    require_opened(study=study)
    reason = reason.replace("\0", "").strip()
    if not reason:
        raise StudyError(gettext("Say why: the reason is kept with the level."))
    if len(reason) > LONGEST_REASON:
        raise StudyError(gettext("A reason may have {number} characters.").format(number=f"{LONGEST_REASON:,}"))
    if not levels:
        raise StudyError(gettext("Choose a level on at least one criterion."))
    # Two adjudicators wait for each other, so that revisions follow one another.
    locked = Item.objects.select_for_update(no_key=True).filter(pk=item.pk, study=study, kind=Item.Kind.RATED).first()
    if locked is None or not locked.slots.filter(ratings__isnull=False).exists():
        raise StudyError(gettext("This text has no ratings to decide between."))
    found = {
        (level.criterion.key, level.index): level
        for level in Level.objects.filter(criterion__study=study, criterion__key__in=levels).select_related("criterion")
    }
    last = {
        one.criterion_id: one for one in Adjudication.objects.filter(item=locked).order_by("criterion_id", "revision")
    }
    stored = []
    for key, index in levels.items():
        if (key, index) not in found:
            raise StudyError(
                gettext("There is no level {index} of “{key}” in this study.").format(index=index, key=key)
            )
        level = found[key, index]
        before = last.get(level.criterion_id)
        if before is not None and (before.level_id, before.reason) == (level.pk, reason):
            continue
        stored.append(
            Adjudication.objects.create(
                item=locked,
                criterion=level.criterion,
                level=level,
                revision=before.revision + 1 if before else 1,
                reason=reason,
                decided_by=decided_by,
            )
        )
    return stored
