"""`kappagraph plan`: how wide the interval of a planned study will be, and how many items a wanted width takes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from evaluation.science.planning.design import Design

__all__ = ["add_parser", "run"]

Number = TypeVar("Number", int, float)

ITEMS = (10, 20, 30, 50, 100, 200, 300, 500, 1000)
LARGEST_PLAN = 500  # lines


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `plan` command."""
    parser = commands.add_parser(
        "plan",
        help="expected precision of a study, before there are ratings",
        description="Expected width of the 95 % interval of linear kappa and of Krippendorff's ordinal alpha, by "
        "simulating studies with the anticipated agreement; every list is combined with every other.",
        epilog="Where raters take turns, --raters is how many rate each item.",
    )
    parser.add_argument("--items", type=_list(int), default=ITEMS, metavar="N1,N2,…", help="numbers of items")
    parser.add_argument("--raters", type=_list(int), default=(2,), metavar="R1,…", help="raters an item (default: 2)")
    parser.add_argument("--levels", type=_list(int), default=(3,), metavar="K1,…", help="levels (default: 3)")
    parser.add_argument(
        "--kappa", type=_list(float), default=(0.5,), metavar="X1,…", help="anticipated linear kappa (default: 0.5)"
    )
    parser.add_argument("--margins", choices=("balanced", "skewed"), default="balanced", help="use of the levels")
    parser.add_argument(
        "--disagreement",
        choices=("near", "anywhere"),
        default="near",
        help="mostly between neighbouring levels, or as far apart as chance has it (default: near)",
    )
    parser.add_argument("--width", type=float, metavar="W", help="also: the items that an interval this wide takes")
    parser.add_argument("--confidence", type=float, default=0.95, metavar="C", help="default: 0.95")
    parser.add_argument("--simulations", type=int, default=400, metavar="N", help="simulated studies (default: 400)")
    parser.add_argument("--seed", type=_seed, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--json", action="store_true", help="write JSON even to a terminal")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    """Simulate and write. Impossible plans: one line on standard error, exit status 2."""
    try:
        document = _document(arguments)
    except ValueError as error:
        print(f"kappagraph: {error}", file=sys.stderr)
        return 2
    if arguments.json or not sys.stdout.isatty():
        json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
        sys.stdout.write("\n")
    else:
        from kappagraph.plan_table import render

        sys.stdout.write(render(document))
    return 0


def _document(arguments: argparse.Namespace) -> dict[str, Any]:
    from kappagraph.version import version

    designs = _designs(arguments)
    if len(designs) * len(arguments.items) > LARGEST_PLAN:
        raise ValueError(f"that is {len(designs) * len(arguments.items)} plans; ask for {LARGEST_PLAN} at most")
    return {
        "plans": [_plan(design, arguments) for design in designs],
        "settings": {
            "confidence": arguments.confidence,
            "margins": arguments.margins,
            "disagreement": arguments.disagreement,
            "simulations": arguments.simulations,
            "seed": arguments.seed,
        },
        "version": version(),
    }


def _designs(arguments: argparse.Namespace) -> list[Design]:
    from evaluation.science.planning.design import Design

    return [
        Design(
            raters=raters,
            levels=levels,
            kappa=kappa,
            margin=arguments.margins,
            model="latent" if arguments.disagreement == "near" else "mixture",
            confidence=arguments.confidence,
        )
        for raters, levels, kappa in product(arguments.raters, arguments.levels, arguments.kappa)
    ]


def _plan(design: Design, arguments: argparse.Namespace) -> dict[str, Any]:
    from evaluation.science.planning.width import ALPHA, expected_precision, items_needed, kappa_name

    settings = {"simulations": arguments.simulations, "seed": arguments.seed}
    sizes = []
    for items in arguments.items:
        found = expected_precision(items, design, **settings)
        sizes.append({"items": items, "coefficients": {name: entry.to_json() for name, entry in found.items()}})
    answer = {"raters": design.raters, "levels": design.levels, "kappa": design.kappa, "sizes": sizes}
    if arguments.width is not None:
        answer["items_for_width"] = {
            "width": arguments.width,
            **{
                name: items_needed(arguments.width, design, coefficient=name, **settings)
                for name in (kappa_name(design.raters), ALPHA)
            },
        }
    return answer


def _list(kind: Callable[[str], Number]) -> Callable[[str], tuple[Number, ...]]:
    def numbers(text: str) -> tuple[Number, ...]:
        found = tuple(kind(part) for part in text.split(",") if part.strip())
        if not found:
            raise argparse.ArgumentTypeError("expected a number, or several with commas between them")
        return found

    numbers.__name__ = f"list of {kind.__name__}"  # argparse names it in its message
    return numbers


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value
