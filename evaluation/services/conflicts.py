"""Texts kept from people: those whose sources they wrote, and those that a researcher names."""

from collections.abc import Iterable, Sequence

from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.authors import author_like
from evaluation.errors import StudyError
from evaluation.models import Conflict, Event, Item, Membership, Slot, Study
from evaluation.selectors.conflicts import study_sources
from evaluation.services import events
from evaluation.services.seats import give_up

__all__ = ["add_conflicts", "find_all_conflicts", "find_conflicts", "lift_conflicts"]

AUTHOR = "author"
LONGEST_REASON = 200


@transaction.atomic
def find_conflicts(*, study: Study, user: User) -> int:
    """Keep from a person the texts whose sources name them as an author; how many are new.

    Sources are the document that a text is, and the documents that were retrieved for a generated abstract. What a
    researcher has lifted stays lifted. A text in hand is taken back.
    """
    return _find(study, [user])


@transaction.atomic
def find_all_conflicts(*, study: Study) -> int:
    """The same for all reviewers who have come so far."""
    members = Membership.objects.filter(study=study, role=Membership.Role.REVIEWER).select_related("user")
    return _find(study, [member.user for member in members])


@transaction.atomic
def add_conflicts(*, study: Study, user: User, items: Sequence[Item], actor: User | None, reason: str = "") -> int:
    """Keep these texts from a person from now on; how many are new. Ratings that they gave stay as they are.

    Raises
    ------
    StudyError
        A text is not of this study, or is given to everybody.
    """
    if any(item.study_id != study.pk or item.kind != Item.Kind.RATED for item in items):
        raise StudyError(_("Only texts that are rated in this study can be kept from somebody."))
    reason = reason.replace("\0", "").strip()[:LONGEST_REASON]
    added = _keep_from(study, user, {item.pk: reason for item in items})
    if added:
        events.record_if_launched(
            study=study,
            actor=actor,
            kind="texts-kept-from-reviewer",
            person=str(user.public_id),
            texts=[str(item.public_id) for item in items if item.pk in added],
        )
    return len(added)


@transaction.atomic
def lift_conflicts(*, study: Study, user: User, items: Sequence[Item], actor: User | None) -> int:
    """Let a person be given these texts again; how many there were."""
    lifted = Conflict.objects.filter(user=user, item__in=items, item__study=study)
    texts = [str(public_id) for public_id in lifted.values_list("item__public_id", flat=True)]
    pks = list(lifted.values_list("item_id", flat=True))
    lifted.delete()
    if texts:
        # What was taken from their hands can come back to them.
        Slot.objects.filter(
            item_id__in=pks, reviewer=user, state=Slot.State.WITHDRAWN, answered_at__isnull=True, pass_number=0
        ).update(state=Slot.State.EXPIRED)
        events.record_if_launched(
            study=study, actor=actor, kind="texts-given-back-to-reviewer", person=str(user.public_id), texts=texts
        )
    return len(texts)


def _find(study: Study, people: Iterable[User]) -> int:
    sources = study_sources(study_id=study.pk)
    found = 0
    for user in people:
        named: dict[int, str] = {}
        for source in sources:
            author = author_like(source.authors, name=user.get_full_name())
            if author is not None:
                named |= dict.fromkeys(source.items(), f"{AUTHOR}: {author}"[:LONGEST_REASON])
        lifted = set(_lifted(study, user)) if named else set()
        added = _keep_from(study, user, {pk: reason for pk, reason in named.items() if pk not in lifted})
        if added:
            events.record_if_launched(
                study=study, actor=None, kind="author-among-reviewers", person=str(user.public_id), texts=len(added)
            )
        found += len(added)
    return found


def _lifted(study: Study, user: User) -> list[int]:
    given_back = Event.objects.filter(
        study=study, kind="texts-given-back-to-reviewer", details__person=str(user.public_id)
    )
    texts = [text for details in given_back.values_list("details", flat=True) for text in details["texts"]]
    return list(Item.objects.filter(study=study, public_id__in=texts).values_list("pk", flat=True))


def _keep_from(study: Study, user: User, reasons: dict[int, str]) -> set[int]:
    """Store conflicts, and take texts in hand or lapsed back; the items that had none before."""
    if not reasons:
        return set()
    # Claims of this person wait meanwhile, so that none slips through.
    Membership.objects.select_for_update(no_key=True).filter(study=study, user=user).first()
    known = set(Conflict.objects.filter(user=user, item_id__in=reasons).values_list("item_id", flat=True))
    new = {pk: reason for pk, reason in reasons.items() if pk not in known}
    Conflict.objects.bulk_create(
        [Conflict(user=user, item_id=pk, reason=reason) for pk, reason in new.items()], batch_size=1000
    )
    with connection.cursor() as cursor:
        give_up(
            cursor,
            """slot.reviewer_id = %(reviewer)s AND slot.state IN ('claimed', 'expired')
               AND slot.item_id = ANY(%(items)s)""",
            {"reviewer": user.pk, "items": list(new), "state": Slot.State.WITHDRAWN, "reason": ""},
            patient=True,
        )
    return set(new)
