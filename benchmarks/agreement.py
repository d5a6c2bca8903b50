"""How fast agreement is computed, beside the other ways to compute it, in one run.

    python benchmarks/agreement.py                 # a minute or so
    python benchmarks/agreement.py --check         # exit with 1 unless the goals are met
    python benchmarks/agreement.py --rows 100000   # a smaller file

Linear kappa with a bootstrap interval of 2,000 resamples at 1,000 items, from two arrays of ratings, against a loop
over scikit-learn's cohen_kappa_score (a part of the resamples is timed and scaled up), with levels as texts and as
integers, and a loop over numpy.bincount;
all multi-rater coefficients with intervals for 100,000 items; the start of the command; and a long file of a million
ratings. Medians of several rounds in which the contenders take turns, one BLAS thread; CPU time for what runs in this
process, so that a busy machine does not decide, and the least time on the wall clock for commands.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

RESAMPLES = 2000
ITEMS = 1000
NAMES = ("low", "medium", "high")
LEVELS = len(NAMES)

TIMES_SKLEARN, TIMES_BINCOUNT = 1000.0, 20.0
OVERALL_SECONDS, HELP_SECONDS, FILE_SECONDS = 1.0, 0.3, 15.0
FILE_BYTES = 10**9


def main() -> int:
    arguments = _arguments()
    goals = [*_resampling(arguments), _overall(arguments), _help(arguments), *_file(arguments)]
    print()
    for met, sentence in goals:
        print(f"{'met   ' if met else 'MISSED'}  {sentence}")
    return 0 if all(met for met, _ in goals) or not arguments.check else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each timing (7)")
    parser.add_argument("--sklearn", type=int, default=100, help="resamples timed of scikit-learn's 2,000 (100)")
    parser.add_argument("--items", type=int, default=100_000, help="items of the multi-rater report (100,000)")
    parser.add_argument("--rows", type=int, default=1_000_000, help="ratings in the file (1,000,000)")
    parser.add_argument("--check", action="store_true", help="exit with 1 unless the goals are met")
    return parser.parse_args()


def ratings(items: int, raters: int) -> np.ndarray[Any, Any]:
    """Level indices (items, raters): three in four of them the item's true level, the others guessed."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, LEVELS, items)
    guesses = rng.integers(0, LEVELS, (items, raters))
    return np.where(rng.random((items, raters)) < 0.75, truth[:, None], guesses).astype(np.int32)


def in_turns(
    contenders: dict[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, float]:
    """Median seconds of each, the least by the clock on the wall; one round more is run first and not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds + 1):
        for name, contender in contenders.items():
            begun = clock()
            contender()
            seconds[name].append(clock() - begun)
    typical = statistics.median if clock is time.process_time else min
    return {name: typical(taken[1:]) for name, taken in seconds.items()}


# --- Resampling -------------------------------------------------------------------------------------------------------


def kappagraph_interval(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """Linear kappa and its percentile interval: one table, multinomial resamples of it."""
    from evaluation.science.coefficients.registry import pair_coefficients
    from evaluation.science.intervals.choice import Bound, IntervalOptions, estimate_all
    from evaluation.science.resampling.sample import Sample
    from evaluation.science.resampling.statistic import Features, SmoothStatistic

    cells = np.bincount(first * LEVELS + second, minlength=LEVELS**2)
    occupied = np.flatnonzero(cells)
    counts = cells[occupied]
    linear = next(found for found in pair_coefficients(LEVELS) if found.name == "cohen_kappa_linear")
    statistic = SmoothStatistic(Features(np.eye(LEVELS**2)[occupied]), counts, linear.value)
    bound = Bound(linear, statistic, int(counts.sum()))
    options = IntervalOptions(method="percentile", bootstrap=RESAMPLES)
    found = estimate_all({"kappa": bound}, Sample.of(counts), options)["kappa"]
    assert found.value is not None
    assert found.ci is not None
    return found.value, *found.ci


def coded(labels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Level indices of an array of texts."""
    index = {name: number for number, name in enumerate(NAMES)}
    return np.array([index[label] for label in labels.tolist()])


def sklearn_interval(
    first: np.ndarray[Any, Any], second: np.ndarray[Any, Any], levels: list[Any], resamples: int
) -> tuple[float, float, float]:
    """The usual loop: draw items, call cohen_kappa_score."""
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(1)
    values = np.empty(resamples)
    for draw in range(resamples):
        chosen = rng.integers(0, len(first), len(first))
        values[draw] = cohen_kappa_score(first[chosen], second[chosen], labels=levels, weights="linear")
    low, high = np.quantile(values, [0.025, 0.975])
    return float(cohen_kappa_score(first, second, labels=levels, weights="linear")), float(low), float(high)


def bincount_interval(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """The same loop in NumPy: draw items, count cells, apply the formula."""
    rng = np.random.default_rng(1)
    index = np.arange(LEVELS)
    weights = np.abs(index[:, None] - index[None, :]) / (LEVELS - 1)

    def kappa(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
        table = np.bincount(a * LEVELS + b, minlength=LEVELS**2).reshape(LEVELS, LEVELS)
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        return float(1 - len(a) * (weights * table).sum() / (weights * np.outer(rows, columns)).sum())

    values = np.empty(RESAMPLES)
    for draw in range(RESAMPLES):
        chosen = rng.integers(0, len(first), len(first))
        values[draw] = kappa(first[chosen], second[chosen])
    low, high = np.quantile(values, [0.025, 0.975])
    return kappa(first, second), float(low), float(high)


def _resampling(arguments: argparse.Namespace) -> list[tuple[bool, str]]:
    first, second = ratings(ITEMS, 2).T
    texts = np.array(NAMES)[first], np.array(NAMES)[second]
    print(f"linear kappa, {RESAMPLES:,} resamples, {ITEMS:,} items")
    _agree([kappagraph_interval(first, second), bincount_interval(first, second)])
    part, often = arguments.sklearn, 20

    def ours(start: Callable[[], tuple[np.ndarray[Any, Any], ...]]) -> Callable[[], None]:
        # As long as the others' turns, so that the clock and the caches mean the same to all.
        def turn() -> None:
            for _ in range(often):
                kappagraph_interval(*start())

        return turn

    taken = in_turns(
        {
            "Kappagraph, texts": ours(lambda: (coded(texts[0]), coded(texts[1]))),
            "Kappagraph, integers": ours(lambda: (first, second)),
            "numpy.bincount loop, integers": lambda: bincount_interval(first, second),
            "scikit-learn loop, texts": lambda: sklearn_interval(*texts, list(NAMES), part),
            "scikit-learn loop, integers": lambda: sklearn_interval(first, second, list(range(LEVELS)), part),
        },
        arguments.rounds,
    )
    for name in taken:
        taken[name] *= RESAMPLES / part if "scikit" in name else 1 / often if "Kappagraph" in name else 1
        scaled = f", scaled up from {part} resamples" if "scikit" in name else ""
        print(f"  {name:<30}{1000 * taken[name]:>12.2f} ms{scaled}")
    texts_ratio, integers_ratio = (
        taken[f"scikit-learn loop, {kind}"] / taken[f"Kappagraph, {kind}"] for kind in ("texts", "integers")
    )
    loop_ratio = taken["numpy.bincount loop, integers"] / taken["Kappagraph, integers"]
    return [
        (
            texts_ratio >= TIMES_SKLEARN,
            f"{texts_ratio:,.0f} × the scikit-learn loop on texts (goal {TIMES_SKLEARN:,.0f}), "
            f"{integers_ratio:,.0f} × on integers",
        ),
        (loop_ratio >= TIMES_BINCOUNT, f"{loop_ratio:,.0f} × the numpy.bincount loop (goal {TIMES_BINCOUNT:,.0f})"),
    ]


def _agree(found: list[tuple[float, float, float]]) -> None:
    """What is timed must be the same thing: one value, and one interval up to the chance of resampling."""
    values, lows, highs = zip(*found, strict=True)
    assert np.ptp(values) < 1e-12, values
    assert max(np.ptp(lows), np.ptp(highs)) < 0.02, found


# --- Many raters, the command, a large file ---------------------------------------------------------------------------


def _overall(arguments: argparse.Namespace) -> tuple[bool, str]:
    from evaluation.science.agreement import report
    from evaluation.science.intervals.choice import IntervalOptions
    from evaluation.science.overall import overall_estimates
    from evaluation.science.patterns import rating_patterns
    from evaluation.science.ratings import RatingsTable

    table = RatingsTable.from_codes(ratings(arguments.items, 5), levels=range(LEVELS))
    options = IntervalOptions(bootstrap=RESAMPLES)
    print(f"\n{arguments.items:,} items, 5 raters, {LEVELS} levels")
    taken = in_turns(
        {
            "multi-rater coefficients": lambda: overall_estimates(table, rating_patterns(table), options),
            "report with all pairs": lambda: report(table, options=options),
        },
        arguments.rounds,
    )
    for name, seconds in taken.items():
        print(f"  {name:<26}{seconds:>8.3f} s")
    overall = taken["multi-rater coefficients"]
    return (
        overall < OVERALL_SECONDS,
        f"{overall:.2f} s for all multi-rater coefficients with intervals (goal {OVERALL_SECONDS:.0f})",
    )


def _command(*arguments: str) -> list[str]:
    installed = Path(sys.executable).with_name("kappagraph")
    return [str(installed), *arguments] if installed.exists() else [sys.executable, "-m", "kappagraph", *arguments]


def _run(command: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}"}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _help(arguments: argparse.Namespace) -> tuple[bool, str]:
    seconds = in_turns({"help": lambda: _run(_command("--help"))}, arguments.rounds, time.perf_counter)["help"]
    print(f"\nkappagraph --help: {seconds:.3f} s")
    return seconds < HELP_SECONDS, f"{seconds:.2f} s for kappagraph --help (goal {HELP_SECONDS})"


def _file(arguments: argparse.Namespace) -> list[tuple[bool, str]]:
    raters = 5
    codes = ratings(arguments.rows // raters, raters)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        with path.open("w", encoding="utf-8") as file:
            file.write("item,rater,value\n")
            for item, row in enumerate(codes.tolist()):
                file.writelines(f"text-{item},rater-{rater},{NAMES[level]}\n" for rater, level in enumerate(row))
        size = path.stat().st_size
        begun = time.perf_counter()
        peak = _peak_memory(_command("agreement", str(path), "--levels", ",".join(NAMES), "--json"))
        seconds = time.perf_counter() - begun
    print(f"\nkappagraph agreement on a long file of {codes.size:,} ratings, {size / 1e6:.0f} MB")
    print(f"  {seconds:.2f} s, {peak / 1e6:.0f} MB at most")
    return [
        (seconds < FILE_SECONDS, f"{seconds:.1f} s for {codes.size:,} rows (goal {FILE_SECONDS:.0f})"),
        (peak < FILE_BYTES, f"{peak / 1e6:.0f} MB at most (goal {FILE_BYTES / 1e6:.0f})"),
    ]


def _peak_memory(command: list[str]) -> int:
    """Run in a process of its own, whose only child is the command: the system keeps the largest child's peak."""
    code = (
        "import resource, subprocess, sys; "
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'platform'}"}
    ran = subprocess.run(
        [sys.executable, "-c", code, *command], check=True, env=environment, capture_output=True, text=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(ran.stdout) * unit


if __name__ == "__main__":
    raise SystemExit(main())
