"""How texts were drawn, in words: from the notes that are kept with a study."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphs.science.metric_registry import metric

__all__ = ["describe_draw"]


def describe_draw(draw: Mapping[str, Any]) -> list[str]:
    """A sentence on what was drawn, then one on each thing that a reader should know: what could not be even."""
    if draw["source"] == "removed":
        return [_("Taken out by hand: {id}.").format(id=draw["id"])]
    return _of_batch(draw) if draw["source"] == "batch" else _of_corpus(draw)


def _of_batch(draw: Mapping[str, Any]) -> list[str]:
    texts = ngettext("{count} text", "{count} texts", draw["count"]).format(count=draw["count"])
    told = [_("{texts} from “{name}”, seed {seed}.").format(texts=texts, name=draw["name"], seed=draw["seed"])]
    spread = _("{few} to {many}") if draw["fewest_per_cell"] != draw["most_per_cell"] else "{many}"
    each = spread.format(few=draw["fewest_per_cell"], many=draw["most_per_cell"])
    cells = ngettext("{count} cell", "{count} cells", draw["cells"]).format(count=draw["cells"])
    told.append(_("From each of {cells}: {each}.").format(cells=cells, each=each))
    if draw["siblings"]:
        told.append(
            ngettext(
                "{count} is another run of a cell that is in the sample already.",
                "{count} are further runs of cells that are in the sample already.",
                draw["siblings"],
            ).format(count=draw["siblings"])
        )
    if draw["short_cells"]:
        told.append(
            ngettext(
                "{count} cell had fewer texts than its share; others gave more.",
                "{count} cells had fewer texts than their share; others gave more.",
                draw["short_cells"],
            ).format(count=draw["short_cells"])
        )
    return told + (_of_quantiles(draw) if "metric" in draw else [])


def _of_quantiles(draw: Mapping[str, Any]) -> list[str]:
    told = [
        _("From the {bins} quantiles of {metric}, lowest first: {counts}.").format(
            bins=draw["bins"], metric=metric(draw["metric"]).label, counts=", ".join(map(str, draw["per_bin"]))
        )
    ]
    if draw["short_strata"]:
        told.append(
            ngettext(
                "{count} quantile of a cell held too few texts; the cell’s other quantiles gave more.",
                "{count} quantiles of cells held too few texts; the other quantiles of those cells gave more.",
                draw["short_strata"],
            ).format(count=draw["short_strata"])
        )
    if draw["without_score"]:
        told.append(
            ngettext(
                "{count} text has no score: it was drawn since its cell had no other left.",
                "{count} texts have no score: they were drawn since their cells had no others left.",
                draw["without_score"],
            ).format(count=draw["without_score"])
        )
    return told


def _of_corpus(draw: Mapping[str, Any]) -> list[str]:
    controls = ngettext("{count} control", "{count} controls", draw["count"]).format(count=draw["count"])
    told = [_("{texts} from “{name}”, seed {seed}.").format(texts=controls, name=draw["name"], seed=draw["seed"])]
    if stray := draw["count"] - draw["matched"]:
        told.append(
            ngettext(
                "{count} was never retrieved for the question it stands under.",
                "{count} were never retrieved for the questions they stand under.",
                stray,
            ).format(count=stray)
        )
    return told
