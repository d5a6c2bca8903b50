"""The precision plan as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["render"]

_TITLES = {
    "cohen_kappa_linear": "linear kappa",
    "mean_pairwise_cohen_kappa_linear": "mean linear kappa",
    "krippendorff_alpha_ordinal": "ordinal alpha",
}
_FEW_ITEMS = 30


def render(document: Mapping[str, Any]) -> str:
    """Lay out the plans one after the other."""
    settings = document["settings"]
    lines = [
        f"Expected {settings['confidence']:.0%} intervals; levels used {_use(settings['margins'])}, disagreement "
        f"{'mostly between neighbouring levels' if settings['disagreement'] == 'near' else 'as far as chance has it'}; "
        f"{settings['simulations']} simulated studies a line, seed {settings['seed']}",
    ]
    for plan in document["plans"]:
        lines += ["", *_plan(plan)]
    return "\n".join([*lines, ""])


def _use(margins: str) -> str:
    return "alike" if margins == "balanced" else "unevenly, each 2.5 times as often as the next"


def _plan(plan: Mapping[str, Any]) -> Iterable[str]:
    names = list(plan["sizes"][0]["coefficients"])
    yield f"{plan['raters']} raters, {plan['levels']} levels, anticipated linear kappa {plan['kappa']:.2f}"
    yield f"  {'items':>9}" + "".join(f"{_TITLES[name]:>22}{'width':>8}" for name in names)
    few = False
    for size in plan["sizes"]:
        cells = "".join(_cell(size["coefficients"][name]) for name in names)
        yield f"  {size['items']:>9,}{cells}{_withheld(size['coefficients'])}"
        few |= size["items"] < _FEW_ITEMS
    wanted = plan.get("items_for_width")
    if wanted:
        for name in names:
            count = wanted[name]
            found = "more than a million items" if count is None else f"about {count:,} items"
            yield f"  {_TITLES[name]}: an interval {wanted['width']:.2f} wide takes {found}"
    if few:
        yield f"  Below about {_FEW_ITEMS} items no interval keeps its stated coverage in every situation."


def _withheld(coefficients: Mapping[str, Any]) -> str:
    share = max(found["without_interval"] for found in coefficients.values())
    return f"  none in {share:.0%} of studies" if share >= 0.01 else ""


def _cell(found: Mapping[str, Any]) -> str:
    if found["width"] is None:
        return f"{'no interval':>22}{'–':>8}"
    low, high = found["interval"]
    return f"{f'[{low:.2f}, {high:.2f}]':>22}{found['width']:>8.2f}"
