"""The order of a study's texts: blocks drawn from its seed, and the seats that open in them."""

from django.db import connection

from evaluation.models import Item, Study
from evaluation.science.allocation.blocks import Text, arrange, block_size
from evaluation.selectors.balance import planned_quota

__all__ = ["arrange_items", "open_seats"]


def arrange_items(*, study: Study) -> int:
    """Put the rated texts of a draft into blocks and number them through; the same draft and seed give the same order.

    Returns
    -------
    int
        How many texts were put in order.
    """
    rated = study.items.filter(kind=Item.Kind.RATED).order_by("position")
    rows = list(rated.values_list("pk", "stratum", "question"))
    texts = [Text(stratum, question) for _, stratum, question in rows]
    if not texts:
        return 0
    size = block_size(texts=len(texts), strata=len({text.stratum for text in texts}), quota=planned_quota(study=study))
    blocks = arrange(texts, size=size, seed=study.order_seed)
    placed = [(rows[number][0], block) for block, numbers in enumerate(blocks) for number in numbers]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE evaluation_item AS item SET shuffled_position = placed.place - 1, block = placed.block
            FROM unnest(%s::bigint[], %s::int[]) WITH ORDINALITY AS placed (id, block, place)
            WHERE item.id = placed.id
            """,
            [[pk for pk, _ in placed], [block for _, block in placed]],
        )
    return len(rows)


def open_seats(*, study: Study) -> None:
    """One free seat for each rated text and rater."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO evaluation_opening (study_id, item_id, pass_number, seat, ring)
            SELECT item.study_id, item.id, 0, seat, item.block
            FROM evaluation_item item, generate_series(0, %(raters)s - 1) AS seat
            WHERE item.study_id = %(study)s AND item.kind = 'rated'
            ORDER BY item.block, item.shuffled_position, seat
            """,
            {"study": study.pk, "raters": study.raters_per_item},
        )
