"""Any text of a study as its reviewers meet it, for those who design the study."""

from dataclasses import dataclass

from django.db import connection

from evaluation.models import Expectation, Item, Slot, Study
from evaluation.presentation import neutral_text
from evaluation.selectors.slot_pages import SlotPage

__all__ = ["Preview", "preview"]


@dataclass(frozen=True)
class Preview:
    """A page with nothing stored, and the positions (in the order in which texts were added) before and after it.

    `number` is how its reviewer would see it counted: among the practice texts, or among all others. `expected` holds
    names of criteria with labels of levels, whether the page shows them or not.
    """

    page: SlotPage
    position: int
    kind: str
    number: int
    of: int
    previous: int | None
    next: int | None
    expected: tuple[tuple[str, str], ...]
    has_feedback: bool


def preview(*, study: Study, position: int | None = None, is_practised: bool = False) -> Preview | None:
    """The text at a position, by default the first; None where there is no such text. Three statements.

    Practice texts come first, then all others in the order in which they were added: each reviewer gets these in an
    order of their own. With `is_practised`, a practice text is shown as once it is answered, just as expected.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT id, number, of, earlier, later FROM (
                SELECT id, position, row_number() OVER sequence AS place,
                       row_number() OVER (PARTITION BY kind = 'practice' ORDER BY position) AS number,
                       count(*) OVER (PARTITION BY kind = 'practice') AS of,
                       lag(position) OVER sequence AS earlier, lead(position) OVER sequence AS later
                FROM evaluation_item WHERE study_id = %(study)s
                WINDOW sequence AS (ORDER BY kind <> 'practice', position)) AS told
            WHERE CASE WHEN %(position)s::bigint IS NULL THEN place = 1 ELSE position = %(position)s END
            """,
            {"study": study.pk, "position": position},
        )
        row = cursor.fetchone()
    if row is None:
        return None
    pk, number, of, earlier, later = row
    item = Item.objects.select_related("text").get(pk=pk)
    levels = list(
        Expectation.objects.filter(item=pk)
        .order_by("criterion__position")
        .values_list("criterion__key", "criterion__name", "level__index", "level__label")
    )
    is_practice = item.kind == Item.Kind.PRACTICE
    expected = {key: index for key, _name, index, _label in levels} if is_practice and is_practised else None
    page = SlotPage(
        slot=item.public_id,
        position=number,
        state=Slot.State.RATED if expected is not None else Slot.State.CLAIMED,
        question=neutral_text(item.question),
        text=neutral_text(item.text.body),
        chosen=expected or {},
        comment="",
        previous=None,
        study_pk=study.pk,
        study=study.public_id,
        study_title=study.title,
        study_state=Study.State.OPEN,
        frozen_sha256=study.frozen_sha256,
        item_count=study.item_count,
        quota=None,
        is_practice=is_practice,
        asks_confidence=study.asks_confidence,
        allows_highlights=study.allows_highlights,
        expected=expected,
        feedback=item.feedback if expected is not None else "",
    )
    return Preview(
        page=page,
        position=item.position,
        kind=item.kind,
        number=number,
        of=of,
        previous=earlier,
        next=later,
        expected=tuple((name, label) for _key, name, _index, label in levels),
        has_feedback=bool(levels or item.feedback),
    )
