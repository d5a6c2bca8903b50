"""Texts drawn from a batch: evenly over its cells, and over quantiles of a graph metric if wanted."""

from collections import Counter
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.errors import StudyError
from evaluation.models import Item, Study
from evaluation.science.sampling import Candidate, Sample, draw_evenly, quantile_bins
from evaluation.services.appending import append_items, note_draw
from evaluation.services.drafts import lock_draft
from generation.models import Abstract, Batch
from graphs.science.metric_registry import METRIC_KEYS
from graphs.selectors import default_score_settings, scores_by_text

__all__ = ["MOST_BINS", "add_items_from_batch"]

MOST_BINS = 10


@transaction.atomic
def add_items_from_batch(
    *, study: Study, batch: Batch, count: int, seed: int = 0, metric: str = "", bins: int = 1
) -> dict[str, Any]:
    """Draw `count` distinct texts of a batch; the same seed draws the same.

    As many from each cell as they allow; with a `metric`, within each cell as many from each of `bins` quantiles of
    that metric over the batch. Returns the note of the draw that is kept with the study.
    """
    study = lock_draft(study=study)
    used = frozenset(study.items.values_list("text_id", flat=True))
    rows = list(
        Abstract.objects.filter(run__cell__batch=batch)
        .order_by("pk")
        .values_list("pk", "text_id", "run__cell_id", "run__cell__query")
    )
    quantiles = _quantiles([row[1] for row in rows], batch, metric, bins) if metric else {}
    candidates = [Candidate(pk, text, cell, query, quantiles.get(text)) for pk, text, cell, query in rows]
    sample = draw_evenly(candidates, count=count, seed=seed, used=used)
    if len(sample.drawn) < count:
        left = ngettext("1 different text that is", "{count} different texts that are", len(sample.drawn))
        raise StudyError(
            _("“{batch}” has {left} not in the study yet, not {wanted}.").format(
                batch=batch.name, left=left.format(count=len(sample.drawn)), wanted=count
            )
        )
    chosen = Abstract.objects.select_related("run__cell").in_bulk([one.key for one in sample.drawn])
    append_items(study, (_item_of(chosen[one.key]) for one in sample.drawn))
    about = {"source": "batch", "batch": str(batch.public_id), "name": batch.name, "count": count, "seed": seed}
    return note_draw(study, about | _balance(candidates, sample, used, metric, bins))


def _quantiles(texts: list[int], batch: Batch, metric: str, bins: int) -> dict[int, int | None]:
    """The quantile of each distinct text of the batch; None where it has no score."""
    if metric not in METRIC_KEYS:
        raise StudyError(_("There is no metric “{metric}”.").format(metric=metric))
    if not 2 <= bins <= MOST_BINS:
        raise StudyError(_("Two to {most} quantiles can be told apart.").format(most=MOST_BINS))
    settings = default_score_settings()
    scores = scores_by_text(text_ids=texts, settings=settings) if settings else {}
    distinct = sorted(set(texts))
    values = [getattr(scores[text], metric) if text in scores else None for text in distinct]
    if all(value is None for value in values):
        raise StudyError(
            _("No text of “{batch}” has a score yet. Wait for the scoring, or draw without quantiles.").format(
                batch=batch.name
            )
        )
    return dict(zip(distinct, quantile_bins(values, bins), strict=True))


def _balance(
    candidates: list[Candidate], sample: Sample, used: frozenset[int], metric: str, bins: int
) -> dict[str, Any]:
    """What a reader of the report may ask: how even the draw came out, and where it could not be even."""
    cells = sorted({one.cell for one in candidates if one.text not in used})
    per_cell = [sample.by_cell.get(cell, 0) for cell in cells]
    note: dict[str, Any] = {
        "cells": len(cells),
        "fewest_per_cell": min(per_cell),
        "most_per_cell": max(per_cell),
        "short_cells": sum(per < max(per_cell) - 1 for per in per_cell),
        "siblings": sum(per - 1 for per in per_cell if per),
    }
    if metric:
        drawn = Counter(one.bin for one in sample.drawn)
        note |= {
            "metric": metric,
            "bins": bins,
            "per_bin": [drawn[which] for which in range(bins)],
            "without_score": drawn[None],
            "short_strata": sum(
                sample.by_stratum.get((cell, which), 0) < sample.by_cell.get(cell, 0) // bins
                for cell in cells
                for which in range(bins)
            ),
        }
    return note


def _item_of(abstract: Abstract) -> Item:
    cell = abstract.run.cell
    return Item(
        external_id=f"batch-{cell.batch_id}-cell-{cell.pk}-run-{abstract.run.iteration}",
        question=cell.query,
        text_id=abstract.text_id,
        abstract=abstract,
        stratum=f"cell:{cell.pk}",
    )
