"""The statements that make a reviewer's next slot. Their callers hold the lock on the reviewer's membership."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.models import User
from evaluation.prepared import prepared_cursor
from evaluation.selectors.balance import WINDOW

__all__ = ["Turn", "draw", "give_again", "give_apart", "take_back"]

RUNNERS_UP = 2  # blocks tried next where others are taking every seat of the best one at this moment


@dataclass(frozen=True)
class Turn:
    """Whose turn it is, and what the slot shall say; `number` is the reviewer's in the study."""

    study_id: int
    reviewer: User
    number: int
    seed: int
    position: int
    minutes: int
    last_item: int | None
    block: int | None
    in_block: list[int]


_SLOT = """
    INSERT INTO evaluation_slot (public_id, item_id, pass_number, seat, reviewer_id, state, position,
                                 lease_expires_at, skip_reason, claimed_at, seconds_active)
    SELECT gen_random_uuid(), item_id, pass_number, seat, %(reviewer)s, 'claimed', %(position)s,
           clock_timestamp() + make_interval(mins => %(minutes)s), '', clock_timestamp(), 0
    FROM taken
    RETURNING public_id
"""

_MAY_COME = """
    opening.study_id = %(study)s AND opening.pass_number = 0
    AND NOT EXISTS (SELECT FROM evaluation_conflict conflict
                    WHERE conflict.item_id = opening.item_id AND conflict.user_id = %(reviewer)s)"""

# As long as the reviewer's block has seats at texts new to them, one of those is drawn. Otherwise the first blocks with
# such seats are compared: those that fewer than k people work in come first, and among these those that need everybody
# who has not finished and is not in them; then those of the cells this reviewer has seen least, then those worked in by
# the people they share the fewest texts with, then those that most have begun. Inside a block: no answer to the
# question of the text before, no other text of its cell; a question that could not be kept apart later goes first; the
# rest is drawn. `science.allocation.simulation` does the same in memory.
#
# OFFSET 0 keeps the planner from reading all slots of the site where it takes their table to be small.
#
# A patient draw compares all blocks and waits for locks, so that it comes back empty only when there really is nothing.
_DRAW = f"""
    WITH last AS MATERIALIZED (
        SELECT stratum, nullif(question, '') AS question FROM evaluation_item WHERE id = %(last_item)s
    ),
    here AS MATERIALIZED (
        SELECT opening.id, opening.item_id, opening.seat FROM evaluation_opening opening
        WHERE {_MAY_COME} AND opening.ring = %(block)s::int AND opening.item_id <> ALL(%(in_block)s::bigint[])
    ),
    mine AS MATERIALIZED (
        SELECT slot.item_id, slot.seat, item.stratum, slot.state NOT IN ('skipped', 'withdrawn') AS counts
        FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
        WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s AND item.kind = 'rated'
          AND slot.pass_number = 0 AND ({{patient}} OR NOT EXISTS (SELECT FROM here))
    ),
    near AS MATERIALIZED (
        SELECT opening.ring FROM evaluation_opening opening
        WHERE {_MAY_COME} AND opening.item_id NOT IN (SELECT item_id FROM mine)
          AND ({{patient}} OR NOT EXISTS (SELECT FROM here))
        GROUP BY opening.ring ORDER BY opening.ring LIMIT {{window}}
    ),
    free AS MATERIALIZED (
        SELECT opening.id, opening.item_id, opening.seat, opening.ring
        FROM near JOIN evaluation_opening opening ON opening.ring = near.ring
        WHERE {_MAY_COME} AND opening.item_id NOT IN (SELECT item_id FROM mine)
    ),
    seen AS (SELECT stratum, count(*) AS texts FROM mine WHERE counts GROUP BY stratum),
    offered AS (
        SELECT text.ring, avg(coalesce(seen.texts, 0)) AS seen
        FROM (SELECT DISTINCT ring, item_id FROM free) AS text
        JOIN evaluation_item item ON item.id = text.item_id LEFT JOIN seen ON seen.stratum = item.stratum
        GROUP BY text.ring
    ),
    sitting AS (
        SELECT DISTINCT near.ring, slot.reviewer_id FROM near
        JOIN evaluation_item item ON item.study_id = %(study)s AND item.block = near.ring
        CROSS JOIN LATERAL (SELECT reviewer_id FROM evaluation_slot
                            WHERE item_id = item.id AND pass_number = 0 AND seat IS NOT NULL OFFSET 0) AS slot
        WHERE slot.reviewer_id <> %(reviewer)s
    ),
    met AS (
        SELECT slot.reviewer_id, count(*) AS texts FROM mine
        CROSS JOIN LATERAL (SELECT reviewer_id FROM evaluation_slot
                            WHERE item_id = mine.item_id AND pass_number = 0 AND seat IS NOT NULL OFFSET 0) AS slot
        WHERE mine.seat IS NOT NULL AND slot.reviewer_id <> %(reviewer)s
        GROUP BY slot.reviewer_id
    ),
    working AS MATERIALIZED (
        SELECT user_id FROM evaluation_membership
        WHERE study_id = %(study)s AND role = 'reviewer' AND removed_at IS NULL AND finished_at IS NULL
    ),
    ranked AS MATERIALIZED (
        SELECT offered.ring, row_number() OVER (ORDER BY
                   count(sitting.reviewer_id) >= %(raters)s,
                   %(raters)s - count(sitting.reviewer_id)
                       < (SELECT count(*) FROM working) - count(working.user_id),
                   offered.seen, coalesce(max(met.texts), 0),
                   count(sitting.reviewer_id) DESC,
                   md5(%(seed)s::text || ':' || %(number)s::text || ':block:' || offered.ring::text) COLLATE "C"
               ) AS place
        FROM offered LEFT JOIN sitting ON sitting.ring = offered.ring
        LEFT JOIN met ON met.reviewer_id = sitting.reviewer_id
        LEFT JOIN working ON working.user_id = sitting.reviewer_id
        GROUP BY offered.ring, offered.seen
    ),
    within_reach AS (
        SELECT here.id, here.item_id, here.seat, 0 AS place FROM here
        UNION ALL
        SELECT free.id, free.item_id, free.seat, ranked.place
        FROM ranked JOIN free ON free.ring = ranked.ring WHERE {{patient}} OR ranked.place <= {{places}}
    ),
    listed AS (
        SELECT within_reach.*, item.shuffled_position, item.stratum, nullif(item.question, '') AS question,
               row_number() OVER (PARTITION BY within_reach.place, within_reach.item_id
                                  ORDER BY within_reach.seat) = 1 AS is_first_seat
        FROM within_reach JOIN evaluation_item item ON item.id = within_reach.item_id
    ),
    compared AS (
        SELECT listed.*,
               count(*) FILTER (WHERE is_first_seat) OVER (PARTITION BY place) AS texts,
               count(*) FILTER (WHERE is_first_seat AND question IS NOT NULL)
                   OVER (PARTITION BY place, question) AS siblings
        FROM listed
    ),
    drawn AS (
        SELECT opening.id FROM evaluation_opening opening JOIN compared ON compared.id = opening.id
        ORDER BY compared.place,
                 coalesce(compared.question = (SELECT question FROM last), false),
                 2 * compared.siblings <= compared.texts,
                 coalesce(compared.stratum = (SELECT stratum FROM last), false),
                 md5(%(seed)s::text || ':' || %(number)s::text || ':' || compared.shuffled_position::text) COLLATE "C",
                 compared.seat
        LIMIT 1 FOR UPDATE OF opening {{locked}}
    ),
    taken AS (
        DELETE FROM evaluation_opening opening USING drawn WHERE opening.id = drawn.id
        RETURNING opening.item_id, opening.pass_number, opening.seat
    )
    {_SLOT}"""  # noqa: S608


# Two statements, since the server plans each once: one that looks at a few blocks, one that looks at all.
_AT_ONCE = _DRAW.format(patient="false", window=WINDOW, places=1 + RUNNERS_UP, locked="SKIP LOCKED")
_PATIENTLY = _DRAW.format(patient="true", window="ALL", places=0, locked="")


def draw(*, turn: Turn, raters: int, patient: bool) -> UUID | None:
    """A seat at a text to be rated, or None when none was free (or, without patience, to be had at once)."""
    return _made(_PATIENTLY if patient else _AT_ONCE, turn, {"raters": raters})


# Everybody gets these, in a seat that bears their number.
_APART = f"""
    WITH taken AS (
        SELECT item.id AS item_id, 0 AS pass_number, %(number)s AS seat FROM evaluation_item item
        WHERE item.study_id = %(study)s AND item.kind <> 'rated' AND item.kind = %(kind)s
          AND NOT EXISTS (SELECT FROM evaluation_slot own WHERE own.item_id = item.id
                          AND own.reviewer_id = %(reviewer)s AND own.pass_number = 0)
        ORDER BY CASE WHEN item.kind = 'practice' THEN item.position END,
                 md5(%(seed)s::text || ':' || %(number)s::text || ':attention:' || item.position::text) COLLATE "C"
        LIMIT 1
    ){_SLOT}"""  # noqa: S608


def give_apart(*, turn: Turn, kind: str) -> UUID | None:
    """The next practice text (in their order) or attention check (in an order drawn for this reviewer)."""
    return _made(_APART, turn, {"kind": kind})


# In the seat that the reviewer has at the text, one pass later.
_AGAIN = f"""
    WITH taken AS (
        SELECT slot.item_id, 1 AS pass_number, slot.seat
        FROM evaluation_slot slot JOIN evaluation_item item ON item.id = slot.item_id
        WHERE slot.reviewer_id = %(reviewer)s AND item.study_id = %(study)s AND item.kind = 'rated'
          AND slot.pass_number = 0 AND slot.state = 'rated' AND slot.position + %(distance)s < %(position)s
          AND item.id IS DISTINCT FROM %(last_item)s
          AND NOT EXISTS (SELECT FROM evaluation_slot again WHERE again.item_id = item.id
                          AND again.reviewer_id = %(reviewer)s AND again.pass_number = 1)
          AND NOT EXISTS (SELECT FROM evaluation_conflict conflict
                          WHERE conflict.item_id = item.id AND conflict.user_id = %(reviewer)s)
        ORDER BY CASE WHEN %(from_the_first)s THEN slot.position END,
                 md5(%(seed)s::text || ':' || %(number)s::text || ':again:' || item.shuffled_position::text) COLLATE "C"
        LIMIT 1
    ){_SLOT}"""  # noqa: S608


def give_again(*, turn: Turn, distance: int, from_the_first: bool = False) -> UUID | None:
    """A text that the reviewer has rated, with at least `distance` others since: a drawn one, or the earliest."""
    return _made(_AGAIN, turn, {"distance": distance, "from_the_first": from_the_first})


def take_back(*, turn: Turn) -> UUID | None:
    """The reviewer's own lapsed slot, if its item still has a free seat."""
    statement = f"""
        WITH lapsed AS (
            SELECT opening.id AS opening_id, opening.seat, slot.id AS slot_id
            FROM evaluation_slot slot
            JOIN evaluation_opening opening
              ON opening.item_id = slot.item_id AND opening.pass_number = slot.pass_number
            WHERE slot.reviewer_id = %(reviewer)s AND slot.state = 'expired' AND {_MAY_COME}
            ORDER BY slot.position, opening.seat LIMIT 1 FOR UPDATE OF opening SKIP LOCKED
        ),
        taken AS (DELETE FROM evaluation_opening opening USING lapsed WHERE opening.id = lapsed.opening_id)
        UPDATE evaluation_slot AS slot
        SET state = 'claimed', seat = lapsed.seat,
            lease_expires_at = clock_timestamp() + make_interval(mins => %(minutes)s)
        FROM lapsed WHERE slot.id = lapsed.slot_id
        RETURNING slot.public_id"""  # noqa: S608
    return _made(statement, turn, {})


def _made(statement: str, turn: Turn, more: dict[str, Any]) -> UUID | None:
    parameters = {
        "study": turn.study_id,
        "reviewer": turn.reviewer.pk,
        "number": turn.number,
        "seed": turn.seed,
        "position": turn.position,
        "minutes": turn.minutes,
        "last_item": turn.last_item,
        "block": turn.block,
        "in_block": turn.in_block,
    }
    with prepared_cursor() as cursor:
        cursor.execute(statement, parameters | more)
        row = cursor.fetchone()
    return row[0] if row else None
