"""How balanced a study's allocation is: as planned from its seed, and as reached so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten

from django.db import connection

from corpora.models import Corpus
from evaluation.models import Item, Membership, Study
from evaluation.science.allocation.balance import Balance, Range, balance, blocks_balance, exact_meetings
from evaluation.science.allocation.blocks import Text, arrange, block_size
from evaluation.science.allocation.simulation import simulate
from generation.models import Cell

__all__ = ["MOST_REVIEWERS", "WINDOW", "BalanceReport", "balance_report", "planned_quota", "stratum_names"]

# A plan is simulated while somebody waits for the page.
MOST_SEATS = 20_000
MOST_REVIEWERS = 200
WINDOW = 16  # blocks that are compared before a reviewer begins one


@dataclass(frozen=True)
class BalanceReport:
    """The blocks, the plan, and what was reached.

    `blocks` has the ranges of `science.allocation.balance.blocks_balance`; `exact` is in how many blocks each two cells
    would meet in an exactly balanced design of this size, None where there can be none. `planned` is None for studies
    that are too large to be simulated, `reached` before the launch. `names` are the reviewers' of `reached`.
    """

    texts: int
    strata: int
    blocks: int
    ranges: dict[str, Range | None]
    exact: int | None
    reviewers: int
    quota: int | None
    planned: Balance | None
    reached: Balance | None
    names: tuple[str, ...]


def balance_report(*, study: Study, reviewers: int | None = None) -> BalanceReport:
    """Five statements, whatever the size of the study.

    Parameters
    ----------
    reviewers
        How many people the plan is for, at most 200; by default those who have come or are invited, and at least as
        many as rate each text.
    """
    rows = list(
        study.items.filter(kind=Item.Kind.RATED)
        .order_by("shuffled_position", "position")
        .values_list("pk", "block", "stratum", "question")
    )
    texts = [Text(stratum, question) for _, _, stratum, question in rows]
    members = list(study.memberships.filter(role=Membership.Role.REVIEWER).select_related("user").order_by("number"))
    quota = planned_quota(study=study)
    blocks = _blocks(study, rows, texts, quota)
    strata = len({text.stratum for text in texts})
    here = [member for member in members if member.removed_at is None]
    if reviewers is None:
        invited = study.invitations.filter(accepted_at__isnull=True, revoked_at__isnull=True, role="reviewer").count()
        reviewers = max(len(here) + invited, study.raters_per_item)
    reviewers = max(1, min(reviewers, MOST_REVIEWERS))
    given = _given(study, {pk: place for place, (pk, *_) in enumerate(rows)})
    shown = [member for member in members if given.get(member.user_id)]
    sizes = [len(block) for block in blocks]
    return BalanceReport(
        texts=len(texts),
        strata=strata,
        blocks=len(blocks),
        ranges=blocks_balance(texts, blocks),
        exact=exact_meetings(treatments=strata, blocks=len(blocks), size=sizes[0]) if len(set(sizes)) == 1 else None,
        reviewers=reviewers,
        quota=quota,
        planned=_planned(study, texts, blocks, members, reviewers, quota),
        reached=balance(texts, [given[member.user_id] for member in shown]) if given else None,
        names=tuple(str(member.user) for member in shown),
    )


def planned_quota(*, study: Study) -> int | None:
    """The quota that most of those invited so far have, or that who comes by the study's address gets."""
    quotas = list(
        study.invitations.filter(revoked_at__isnull=True, quota__isnull=False).values_list("quota", flat=True)
    )
    if quotas:
        return min(set(quotas), key=lambda quota: (-quotas.count(quota), quota or 0))
    return study.default_quota


def _blocks(
    study: Study, rows: list[tuple[int, int | None, str, str]], texts: list[Text], quota: int | None
) -> list[list[int]]:
    """As the launch made them, or as it would now."""
    if not texts:
        return []
    if study.state == Study.State.DRAFT:
        size = block_size(texts=len(texts), strata=len({text.stratum for text in texts}), quota=quota)
        return arrange(texts, size=size, seed=study.order_seed)
    found: dict[int | None, list[int]] = defaultdict(list)
    for place, (_, block, *_rest) in enumerate(rows):
        found[block].append(place)
    return list(found.values())


def _planned(
    study: Study,
    texts: list[Text],
    blocks: list[list[int]],
    members: list[Membership],
    reviewers: int,
    quota: int | None,
) -> Balance | None:
    if not texts or len(texts) * study.raters_per_item > MOST_SEATS:
        return None
    here = [member for member in members if member.removed_at is None][:reviewers]
    numbers = [member.number for member in here]
    quotas = [member.quota for member in here]
    following = max((member.number for member in members), default=1) + 1
    missing = reviewers - len(here)
    return balance(
        texts,
        simulate(
            texts,
            blocks,
            raters=study.raters_per_item,
            reviewers=[*numbers, *range(following, following + missing)],
            quotas=[*quotas, *([quota] * missing)],
            seed=study.order_seed,
            window=WINDOW,
        ),
    )


def _given(study: Study, place_of: dict[int, int]) -> dict[int, list[int]]:
    """The texts of each reviewer in their order; without those that were skipped, lapsed or withdrawn."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT slot.reviewer_id, slot.item_id FROM evaluation_slot slot
            JOIN evaluation_item item ON item.id = slot.item_id
            WHERE item.study_id = %s AND item.kind = 'rated' AND slot.pass_number = 0
              AND slot.state IN ('claimed', 'rated', 'surplus')
            ORDER BY slot.reviewer_id, slot.position
            """,
            [study.pk],
        )
        found: dict[int, list[int]] = defaultdict(list)
        for reviewer, item in cursor.fetchall():
            found[reviewer].append(place_of[item])
    return dict(found)


def stratum_names(*, strata: Sequence[str]) -> dict[str, str]:
    """What people call a cell (`model · prompt · temperature · question`) or a corpus; others go by their own words."""
    keys: dict[str, dict[int, str]] = {"cell": {}, "corpus": {}}
    for stratum in strata:
        kind, _, key = stratum.partition(":")
        if kind in keys and key.isascii() and key.isdecimal():
            keys[kind][int(key)] = stratum
    cells = Cell.objects.filter(pk__in=keys["cell"]).select_related("language_model", "prompt")
    names = {
        keys["cell"][cell.pk]: (
            f"{cell.language_model.name} · {cell.prompt.name} · {cell.temperature.normalize():f} · "
            f"{shorten(cell.query, 80, placeholder=' …')}"
        )
        for cell in cells
    }
    for corpus in Corpus.objects.filter(pk__in=keys["corpus"]):
        names[keys["corpus"][corpus.pk]] = corpus.name
    return {stratum: names.get(stratum, stratum) for stratum in strata}
