"""The agreement report as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluation.science.agreement import CriterionReport, PairReport
from evaluation.science.estimates import Estimate, TestResult

__all__ = ["render"]


def render(reports: Sequence[CriterionReport]) -> str:
    """Lay out the reports one after the other."""
    return "\n".join(_criterion(found) for found in reports)


def _criterion(found: CriterionReport) -> str:
    lines = [
        f"{found.criterion or 'Agreement'}: {found.items} items, {len(found.raters)} raters, {found.ratings} ratings, "
        f"{found.missing} missing; levels {' < '.join(map(str, found.levels))}",
        "",
        "Overall",
        *_estimates(found.overall),
    ]
    friedman = {name: test for name, test in found.marginal_tests.items() if test.statistic is not None}
    lines += _tests(friedman)
    for pair in found.pairs:
        lines += ["", *_pair(pair, found)]
    if found.warnings:
        lines += ["", *(f"! {warning}" for warning in found.warnings)]
    return "\n".join([*lines, ""])


def _pair(pair: PairReport, found: CriterionReport) -> list[str]:
    a, b = pair.raters
    names = [str(level) for level in found.levels]
    width = max(6, *(len(name) for name in names)) + 1
    table = [" " * (width + 2) + "".join(f"{name:>{width}}" for name in names)]
    for name, counts in zip(names, pair.table.tolist(), strict=True):
        table.append(f"  {name:<{width}}" + "".join(f"{count:>{width}}" for count in counts))
    return [
        f"{a} (rows) and {b} (columns), {pair.n} items",
        *table,
        *_estimates(pair.coefficients),
        *_tests(pair.marginal_tests),
    ]


def _estimates(estimates: Mapping[str, Estimate]) -> Iterable[str]:
    for name, found in estimates.items():
        if found.value is None:
            yield f"  {name:<36}{'undefined':>9}  {found.reason}"
            continue
        interval = "" if found.ci is None else f"[{found.ci[0]:.2f}, {found.ci[1]:.2f}] {found.ci_method}"
        label = found.landis_koch.band if found.landis_koch else ""
        yield f"  {name:<36}{found.value:>9.3f}  {interval:<28}{label}".rstrip()


def _tests(tests: Mapping[str, TestResult]) -> Iterable[str]:
    for name, found in tests.items():
        if found.statistic is None and found.exact_p is None:
            continue
        value = "–" if found.statistic is None else f"{found.statistic:.3f}"
        parts = [f"df {found.df}" if found.df is not None else ""]
        parts += [_p(label, p) for label, p in (("p", found.p), ("exact p", found.exact_p)) if p is not None]
        yield f"  {name:<36}{value:>9}  {', '.join(part for part in parts if part)}"


def _p(label: str, p: float) -> str:
    """Say that a p-value is small, never that it is nought."""
    return f"{label} < 0.0001" if p < 0.0001 else f"{label} {p:.4f}"
