"""How often 95 % intervals of linear kappa hold the true value, and how wide they are.

    python benchmarks/coverage.py                       # everything: 2,000 bootstrapped samples a cell, tens of minutes
    python benchmarks/coverage.py --items 30 --simulations 500 --record /tmp/try.jsonl --docs /tmp/try.md
    python benchmarks/coverage.py --only-write          # rebuild the tables of docs/intervals.md from the record

Samples are tables of counts from populations of known linear kappa (evaluation/science/planning/population.py), in
stacks, so that a cell costs the same whatever n is. Intervals by a formula see ten times as many samples as those that
resample. Each finished cell is appended to the record; a run that was stopped goes on where it ended, and a cell's
figures depend on the seed and the cell alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from evaluation.science.arrays import Array  # noqa: E402
from evaluation.science.coefficients.cohen import cohen_kappa  # noqa: E402
from evaluation.science.intervals.fisher_z import fisher_z  # noqa: E402
from evaluation.science.planning.population import Margin, Model, population  # noqa: E402
from evaluation.science.weights import disagreement_weights  # noqa: E402

CONFIDENCE = 0.95
TARGET = (0.93, 0.97)
FORMULA_SAMPLES = 10  # so many times as many as are bootstrapped
DEFAULT = "fisher-z"
BEGIN, END = "<!-- coverage: begin -->", "<!-- coverage: end -->"

Ends = tuple[Array, Array]


@dataclass(frozen=True)
class Cell:
    """One population and sample size."""

    model: Model
    levels: int
    margin: Margin
    kappa: float
    items: int

    def rng(self, seed: int) -> np.random.Generator:
        name = (
            ("latent", "mixture").index(self.model),
            self.levels,
            ("balanced", "skewed").index(self.margin),
            round(1000 * self.kappa),
            self.items,
        )
        return np.random.default_rng([seed, *name])


def main() -> int:
    arguments = _arguments()
    done = _read(arguments.record)
    if not arguments.only_write:
        cells = _cells(arguments)
        for number, cell in enumerate(cells, start=1):
            if json.dumps(asdict(cell)) in done:
                continue
            begun = time.monotonic()
            found = simulate(cell, arguments.simulations, arguments.resamples, arguments.seed)
            with arguments.record.open("a+", encoding="utf-8") as record:
                record.seek(0)
                cut_off = record.read()[-1:] not in ("", "\n")
                record.write("\n" * cut_off + json.dumps(asdict(cell) | found) + "\n")
            default = found["methods"][DEFAULT]
            print(
                f"{number}/{len(cells)} {cell.model} k={cell.levels} {cell.margin} kappa={cell.kappa} n={cell.items}: "
                f"{DEFAULT} {default['coverage']:.3f}, {time.monotonic() - begun:.0f} s",
                flush=True,
            )
    write(list(_read(arguments.record).values()), arguments.docs)
    return 0


def _arguments() -> argparse.Namespace:
    def numbers(kind: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
        return lambda text: tuple(kind(part) for part in text.split(","))

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--items", type=numbers(int), default=(10, 30, 100, 300))
    parser.add_argument("--levels", type=numbers(int), default=(3, 5))
    parser.add_argument("--kappa", type=numbers(float), default=(0.0, 0.3, 0.5, 0.8))
    parser.add_argument("--margins", type=numbers(str), default=("balanced", "skewed"))
    parser.add_argument("--models", type=numbers(str), default=("latent", "mixture"))
    parser.add_argument("--simulations", type=int, default=2000, help="bootstrapped samples a cell (2000)")
    parser.add_argument("--resamples", type=int, default=1000, help="resamples of each (1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", type=Path, default=ROOT / "benchmarks" / "coverage.jsonl", help="one line a cell")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "intervals.md", help="where the tables go")
    parser.add_argument("--only-write", action="store_true", help="write the tables from the record, simulate nothing")
    return parser.parse_args()


def _cells(arguments: argparse.Namespace) -> list[Cell]:
    chosen = product(arguments.models, arguments.items, arguments.levels, arguments.margins, arguments.kappa)
    # At kappa 0 both models are independence.
    return [
        Cell(model, levels, margin, kappa, items)
        for model, items, levels, margin, kappa in chosen
        if kappa > 0 or model == arguments.models[0]
    ]


def _read(record: Path) -> dict[str, dict[str, Any]]:
    """Cells by their description; a line cut off by a stopped run is passed over."""
    found = {}
    for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else ():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[json.dumps({name: entry[name] for name in Cell.__dataclass_fields__})] = entry
    return found


# --- Simulation -------------------------------------------------------------------------------------------------------


def simulate(cell: Cell, simulations: int, resamples: int, seed: int) -> dict[str, Any]:
    """Coverage, mean width and misses of every interval in one cell.

    Coverage is that of the intervals that exist: `none` is the share of samples in which kappa is defined but the
    interval is withheld (mostly complete agreement, where no resample differs).
    """
    rng = cell.rng(seed)
    drawn = population(cell.levels, cell.kappa, margin=cell.margin, model=cell.model)
    cells = drawn.pair_table.reshape(-1)
    k = cell.levels
    tables = rng.multinomial(cell.items, cells / cells.sum(), size=FORMULA_SAMPLES * simulations).astype(float)
    tables = tables.reshape(-1, k, k)
    tallies: dict[str, _Tally] = {}
    for start in range(0, len(tables), 2000):
        for name, ends in formula_intervals(Sampled.of(tables[start : start + 2000])).items():
            tallies.setdefault(name, _Tally()).add(ends, drawn.linear_kappa)
    undefined = 0
    for start in range(0, simulations, 50):
        sampled = Sampled.of(tables[start : start + 50])
        undefined += int((~np.isfinite(sampled.kappa)).sum())
        for name, ends in bootstrap_intervals(sampled, resamples, rng).items():
            tallies.setdefault(name, _Tally()).add(ends, drawn.linear_kappa)
    lost = undefined / simulations
    return {
        "simulations": simulations,
        "resamples": resamples,
        "seed": seed,
        "undefined": lost,
        "methods": {name: tally.figures(lost) for name, tally in tallies.items()},
    }


@dataclass
class _Tally:
    samples: int = 0
    given: int = 0
    below: int = 0  # intervals that lie below the true value
    above: int = 0
    width: float = 0.0

    def add(self, ends: Ends, truth: float) -> None:
        """Count; intervals are cut at the range of kappa, so that widths can be compared."""
        low, high = np.clip(ends[0], -1, 1), np.clip(ends[1], -1, 1)
        wide = high - low > 1e-12  # False for NaN too
        self.samples += len(low)
        self.given += int(wide.sum())
        self.below += int((high[wide] < truth - 1e-12).sum())
        self.above += int((low[wide] > truth + 1e-12).sum())
        self.width += float((high - low)[wide].sum())

    def figures(self, undefined: float) -> dict[str, float]:
        given = max(1, self.given)
        return {
            "samples": self.samples,
            "coverage": round(1 - (self.below + self.above) / given, 5),
            "width": round(self.width / given, 4),
            "below": round(self.below / given, 5),
            "above": round(self.above / given, 5),
            "none": round(max(0.0, 1 - self.given / self.samples - undefined), 5),
        }


@dataclass(frozen=True)
class Sampled:
    """A stack of tables (S, k, k) with what all intervals start from; NaN where undefined."""

    tables: Array
    kappa: Array
    ase: Array
    jackknife: Array
    acceleration: Array

    @classmethod
    def of(cls, tables: Array) -> Sampled:
        k, n = tables.shape[-1], tables[0].sum()
        v = disagreement_weights(k, "linear")
        kappa, ase = kappa_and_ase(tables, v)
        with np.errstate(all="ignore"):
            counts = tables.reshape(len(tables), -1)
            without = cohen_kappa(tables[:, None] - np.eye(k * k).reshape(-1, k, k), v)
            without = np.where(counts > 0, without, 0.0)
            mean = (counts * without).sum(1, keepdims=True) / n
            deviation = mean - without
            spread = (counts * deviation**2).sum(1)
            acceleration = (counts * deviation**3).sum(1) / (6 * spread**1.5)
        return cls(tables, kappa, ase, np.sqrt((n - 1) / n * spread), acceleration)

    @property
    def items(self) -> int:
        return int(self.tables[0].sum())


def kappa_and_ase(tables: Array, v: Array) -> tuple[Array, Array]:
    """Kappa and its Fleiss–Cohen–Everitt standard error for each table, in O(k²) a table."""
    n = tables.sum((-1, -2))[..., None, None]
    rows, columns = tables.sum(-1) / n[..., 0], tables.sum(-2) / n[..., 0]
    towards_rows, towards_columns = columns @ v, rows @ v
    expected = (rows * towards_rows).sum(-1)[..., None, None]
    observed = (tables * v).sum((-1, -2))[..., None, None] / n
    with np.errstate(all="ignore"):
        expected = np.where(expected > 1e-12, expected, np.nan)
        change = towards_rows[..., :, None] + towards_columns[..., None, :] - 2 * expected
        influence = (observed * change / expected - (v - observed)) / expected
        ase = np.sqrt((tables * influence**2).sum((-1, -2))) / n[..., 0, 0]
        return (1 - observed / expected)[..., 0, 0], ase


def formula_intervals(sampled: Sampled) -> dict[str, Ends]:
    """Intervals that need no resamples."""
    from scipy.special import ndtri, stdtrit

    kappa, n = sampled.kappa, sampled.items
    z, t = float(ndtri((1 + CONFIDENCE) / 2)), float(stdtrit(n - 1, (1 + CONFIDENCE) / 2))
    wald, jackknife = z * sampled.ase, t * sampled.jackknife
    with np.errstate(all="ignore"):
        inside = np.where(np.abs(kappa) < 1, kappa, np.nan)
        fisher, stretch = np.arctanh(inside), 1 - inside**2
        ratio = 1 - inside
        angle, turn = np.arcsin(inside), np.sqrt(stretch)
        return {
            "wald": (kappa - wald, kappa + wald),
            "jackknife-t": (kappa - jackknife, kappa + jackknife),
            "fisher-z": fisher_z(kappa, sampled.jackknife, n, CONFIDENCE),
            "fisher-z wald": (np.tanh(fisher - wald / stretch), np.tanh(fisher + wald / stretch)),
            "log ratio": (1 - ratio * np.exp(jackknife / ratio), 1 - ratio * np.exp(-jackknife / ratio)),
            "arcsine": (
                np.sin(np.maximum(angle - jackknife / turn, -np.pi / 2)),
                np.sin(np.minimum(angle + jackknife / turn, np.pi / 2)),
            ),
        }


def bootstrap_intervals(sampled: Sampled, resamples: int, rng: np.random.Generator) -> dict[str, Ends]:
    """Intervals from multinomial resamples of each table."""
    from scipy.special import ndtr, ndtri, stdtrit

    s, k, n = len(sampled.tables), sampled.tables.shape[-1], sampled.items
    shares = sampled.tables.reshape(s, 1, -1) / n
    drawn = rng.multinomial(n, shares, size=(s, resamples)).reshape(s, resamples, k, k).astype(float)
    values, ase = kappa_and_ase(drawn, disagreement_weights(k, "linear"))
    ordered = _Ordered.of(values)
    tails = np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    with np.errstate(all="ignore"):
        same = np.isclose(values, sampled.kappa[:, None], rtol=0, atol=1e-12)
        below = ((values < sampled.kappa[:, None]) & ~same).sum(1) + same.sum(1) / 2
        z0 = ndtri(below / ordered.defined)[:, None]
        z = z0 + ndtri(tails)
        scale = 1 - sampled.acceleration[:, None] * z
        bca = np.where((scale > 0).all(1, keepdims=True), ndtr(z0 + z / scale), np.nan)
        # Hesterberg 2015: percentiles as far out as t_{n-1} and n/(n-1) ask for.
        wider = ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, tails))
        studentised = _Ordered.of(np.where(ase > 1e-12, (values - sampled.kappa[:, None]) / ase, np.nan))
        t = studentised.quantiles(np.broadcast_to(tails, (s, 2)))
        return {
            "percentile": _pair(ordered.quantiles(np.broadcast_to(tails, (s, 2)))),
            "bca": _pair(ordered.quantiles(bca)),
            "expanded percentile": _pair(ordered.quantiles(np.broadcast_to(wider, (s, 2)))),
            "bootstrap-t": (sampled.kappa - t[:, 1] * sampled.ase, sampled.kappa - t[:, 0] * sampled.ase),
        }


@dataclass(frozen=True)
class _Ordered:
    """Resampled values of each sample in order, the undefined last."""

    values: Array
    defined: Array

    @classmethod
    def of(cls, values: Array) -> _Ordered:
        return cls(np.sort(values, axis=1), np.isfinite(values).sum(1))

    def quantiles(self, at: Array) -> Array:
        """Linear interpolation as NumPy's, (S, 2); NaN where fewer than half are defined."""
        enough = (2 * self.defined >= self.values.shape[1])[:, None] & np.isfinite(at)
        position = np.where(enough, at, 0.0) * (np.maximum(self.defined, 1) - 1)[:, None]
        left = np.floor(position).astype(int)
        right = np.minimum(left + 1, np.maximum(self.defined - 1, 0)[:, None])
        lower, upper = (np.take_along_axis(self.values, place, axis=1) for place in (left, right))
        return np.asarray(np.where(enough, lower + (position - left) * (upper - lower), np.nan))


def _pair(ends: Array) -> Ends:
    return ends[:, 0], ends[:, 1]


# --- The tables of the documentation ----------------------------------------------------------------------------------


def write(entries: list[dict[str, Any]], docs: Path) -> None:
    """Put the tables between the markers of the page; without a page or markers, they are the page."""
    generated = "\n".join([BEGIN, "", *_page(entries), "", END])
    page = docs.read_text(encoding="utf-8") if docs.exists() else f"{BEGIN}\n{END}\n"
    before, rest = page.split(BEGIN, 1)
    docs.write_text(before + generated + rest.split(END, 1)[1], encoding="utf-8")


def _page(entries: list[dict[str, Any]]) -> Iterator[str]:
    methods = list(entries[0]["methods"])
    simulations = min(entry["simulations"] for entry in entries)
    formula = FORMULA_SAMPLES * simulations
    yield (
        f"{len(entries)} cells; {simulations:,} samples a cell for intervals that resample "
        f"({entries[0]['resamples']:,} resamples each), {formula:,} for the others; seed {entries[0]['seed']}. So a "
        f"coverage of 95 % is known to ±{_error(simulations):.1f} or ±{_error(formula):.1f} points (two errors)."
    )
    yield ""
    yield (
        "Coverage in %, over cells. *Mean shortfall* is how far coverage stays below 95 on average (cells that cover "
        "more count 0), *mean distance* how far from 95 on either side. Ordered by shortfall."
    )
    yield from ("", "### Summary", "")
    for items in sorted({entry["items"] for entry in entries}):
        here = [entry for entry in entries if entry["items"] == items]
        yield from (f"**n = {items}**, {len(here)} cells", "")
        yield "| interval | mean shortfall | in 93–97 % | lowest | mean | highest | mean distance | width | withheld |"
        yield "|---|---|---|---|---|---|---|---|---|"
        for method in sorted(methods, key=lambda name: _shortfall(here, name)):
            yield _summary(method, here)
        yield ""
    yield from _misses(entries)
    for items in sorted({entry["items"] for entry in entries}):
        yield from _table(items, [entry for entry in entries if entry["items"] == items], methods)


def _error(simulations: int) -> float:
    return 100 * 2 * float(np.sqrt(0.95 * 0.05 / simulations))


def _shortfall(entries: list[dict[str, Any]], method: str) -> float:
    """Mean over cells of how far coverage stays below what is promised; covering more costs width alone."""
    return float(np.mean([max(0.0, CONFIDENCE - entry["methods"][method]["coverage"]) for entry in entries]))


def _summary(method: str, entries: list[dict[str, Any]]) -> str:
    figures = [entry["methods"][method] for entry in entries]
    covered = np.array([found["coverage"] for found in figures])
    inside = int(((covered >= TARGET[0]) & (covered <= TARGET[1])).sum())
    cells = [
        f"**{method}** (default)" if method == DEFAULT else method,
        f"{100 * _shortfall(entries, method):.2f}",
        f"{inside} of {len(figures)}",
        *(f"{100 * value:.1f}" for value in (covered.min(), covered.mean(), covered.max())),
        f"{100 * np.abs(covered - CONFIDENCE).mean():.2f}",
        f"{np.mean([found['width'] for found in figures]):.3f}",
        f"{100 * np.mean([found['none'] for found in figures]):.1f} %",
    ]
    return f"| {' | '.join(cells)} |"


def _misses(entries: list[dict[str, Any]]) -> Iterator[str]:
    missed = [
        entry
        for entry in entries
        if entry["items"] >= 30 and not TARGET[0] <= entry["methods"][DEFAULT]["coverage"] <= TARGET[1]
    ]
    judged = [entry for entry in entries if entry["items"] >= 30]
    yield from ("### Where the default misses 93–97 % from 30 items on", "")
    yield f"{len(missed)} of {len(judged)} cells."
    yield ""
    if missed:
        yield "| population | levels | margins | true κ | n | coverage | lies below κ | lies above κ | best other |"
        yield "|---|---|---|---|---|---|---|---|---|"
    for entry in missed:
        found = entry["methods"][DEFAULT]
        best = min(
            (name for name in entry["methods"] if name != DEFAULT),
            key=lambda name: abs(entry["methods"][name]["coverage"] - CONFIDENCE),
        )
        yield (
            f"| {entry['model']} | {entry['levels']} | {entry['margin']} | {entry['kappa']} | {entry['items']} | "
            f"{100 * found['coverage']:.1f} | {100 * found['below']:.1f} | {100 * found['above']:.1f} | "
            f"{best}, {100 * entry['methods'][best]['coverage']:.1f} |"
        )
    yield ""


def _table(items: int, entries: list[dict[str, Any]], methods: list[str]) -> Iterator[str]:
    yield from (f"### n = {items}: coverage in % / mean width", "")
    yield f"| population | k | margins | κ | {' | '.join(methods)} |"
    yield "|---|---|---|---|" + "---|" * len(methods)
    for entry in entries:
        figures = (entry["methods"][method] for method in methods)
        cells = " | ".join(f"{100 * found['coverage']:.1f} / {found['width']:.2f}" for found in figures)
        yield f"| {entry['model']} | {entry['levels']} | {entry['margin']} | {entry['kappa']} | {cells} |"
    yield ""


if __name__ == "__main__":
    raise SystemExit(main())
