"""How fast a rating is stored and the next text given, by the production servers, and whether any rating is lost.

Starts PostgreSQL, Valkey and the web server as `make demo` does, on a temporary folder, makes studies and reviewers by
the product's services, and lets a load client in this process rate like the page's script does: one request stores the
levels of all criteria and brings the next text. Client and servers share the machine.

    .venv/bin/python benchmarks/rating.py                 # everything, about three minutes; exit status 1 on a miss
    .venv/bin/python benchmarks/rating.py --short         # a few seconds a part: checks what is stored, judges no time

In the end what was acknowledged is compared with what the database holds. Processor time is given for each request,
since on a machine with other work wall time says more about that work.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder: its `rating.py` would hide the app of that name
sys.path.insert(1, str(ROOT / "platform"))

from benchmarks.load.client import Rater, Reviewer, Sent  # noqa: E402
from benchmarks.load.installation import Installation, installation  # noqa: E402

if TYPE_CHECKING:
    from benchmarks.load.checks import Statements

COUNTED = 20  # round trips whose statements are counted


@dataclass
class Report:
    """Prints figures beside their targets, and remembers what was missed."""

    judges_time: bool
    missed: list[str] = field(default_factory=list)

    def say(self, name: str, words: str) -> None:
        print(f"{name:<46} {words}", flush=True)

    def target(self, name: str, words: str, *, is_met: bool, of_time: bool = True) -> None:
        judged = self.judges_time or not of_time
        self.say(name, words + ("" if is_met or not judged else "   MISSED"))
        if judged and not is_met:
            self.missed.append(name)


@dataclass
class Work:
    """What everybody needs: the servers, the report, and all that was ever sent."""

    servers: Installation
    report: Report
    sent: list[Sent] = field(default_factory=list)

    @contextmanager
    def measured(self, name: str, requests: Callable[[], int]) -> Iterator[None]:
        """Processor time a request, by process, for what runs inside."""
        before, begun = self.servers.processor_seconds(), time.perf_counter()
        yield
        wall, after = time.perf_counter() - begun, self.servers.processor_seconds()
        count = max(1, requests())
        spent = {who: 1000 * (after[who] - before[who]) / count for who in after}
        parts = ", ".join(f"{who} {milliseconds:.2f}" for who, milliseconds in spent.items())
        load = os.getloadavg()[0]
        self.report.say(
            f"  {name}", f"processor ms a request: {sum(spent.values()):.2f} ({parts}); {wall:.1f} s; load {load:.1f}"
        )


def main() -> int:
    options = _options()
    report = Report(judges_time=not options.short)
    with tempfile.TemporaryDirectory(prefix="kappagraph-rating-") as folder:
        begun = time.perf_counter()
        addresses = {"database_url": options.database_url, "redis_url": options.redis_url}
        with installation(Path(folder) / "state", **addresses) as servers:
            report.say("servers ready", f"{time.perf_counter() - begun:.1f} s")
            _everything(Work(servers, report), options)
    print("missed: " + "; ".join(report.missed) if report.missed else "every target met")
    return 1 if report.missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="small numbers; only what is stored is judged, never time")
    parser.add_argument("--sequence", type=int, help="ratings of the one reviewer (300)")
    parser.add_argument("--clients", type=int, default=20, help="as fast as the server answers (20)")
    parser.add_argument("--seconds", type=float, help="for so long (20)")
    parser.add_argument("--reviewers", type=int, help="at human pace (50)")
    parser.add_argument("--pace", type=float, help="seconds between two ratings of one of them (5)")
    parser.add_argument("--pace-seconds", type=float, help="for so long (60)")
    parser.add_argument("--items", type=int, help="texts of the study they rate (5000)")
    parser.add_argument("--large", type=int, help="texts of the large study (100000)")
    parser.add_argument("--rounds", type=int, help="rounds of 20 people who ask at once (5)")
    parser.add_argument("--database-url", default="", help="a database for trying, instead of the embedded PostgreSQL")
    parser.add_argument("--redis-url", default="", help="likewise, instead of the embedded Valkey")
    parser.add_argument("--no-browser", action="store_true", help="do not look at the first page")
    parser.add_argument("--only", default="", help="some of: sequence,clients,pace,once,sizes,page")
    options = parser.parse_args()
    defaults = {
        "sequence": (300, 20), "seconds": (20.0, 1.0), "reviewers": (50, 10), "pace": (5.0, 0.5),
        "pace_seconds": (60.0, 1.5), "items": (5000, 400), "large": (100_000, 1000), "rounds": (5, 1),
    }  # fmt: skip
    for name, (full, short) in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, short if options.short else full)
    return options


def _everything(work: Work, options: argparse.Namespace) -> None:
    from benchmarks.load.checks import differences, seats_too_many
    from benchmarks.load.studies import make_bare_table, make_study, reviewers

    chosen = set(filter(None, options.only.split(",")))

    def wanted(part: str) -> bool:
        return not chosen or part in chosen

    make_bare_table()
    study = make_study(title="Rated at full speed", items=options.items, raters=3)
    people = reviewers(study=study, count=max(options.clients, options.reviewers) + 1)
    asyncio.run(_warm_up(work, people[: options.clients]))
    if wanted("sequence"):
        asyncio.run(_in_sequence(work, people[-1], options.sequence))
    if wanted("clients"):
        asyncio.run(_as_fast_as_possible(work, people[: options.clients], options.seconds))
        asyncio.run(_cut_off(work, people[: options.clients], 5))
    if wanted("pace"):
        asyncio.run(_at_human_pace(work, people[: options.reviewers], options))
    if wanted("once"):
        _at_once(work, options)
    if wanted("sizes"):
        _sizes(work, options)
    if wanted("page") and not options.no_browser:
        _first_page(work, people[0])
    found = differences(work.sent)
    work.report.say("sent, acknowledged, stored", f"{found['sent']}, {found['acknowledged']}, {found['stored']}")
    for name in ("lost", "doubled", "changed", "stored but not acknowledged", "answers 5xx", "other refusals"):
        work.report.target(name, f"{found[name]} (0)", is_met=found[name] == 0, of_time=False)
    broken = _server_errors(work.servers)
    work.report.target("answers 5xx in the server's log", f"{broken} (0)", is_met=broken == 0, of_time=False)
    too_many = seats_too_many()
    work.report.target("seats beyond the raters asked for", f"{too_many} (0)", is_met=too_many == 0, of_time=False)


# --- The parts --------------------------------------------------------------------------------------------------------


async def _warm_up(work: Work, people: Sequence[Reviewer]) -> None:
    """Let each thread of the server open its connection and load its templates."""
    async with _at_work(work, people) as raters:
        await asyncio.gather(*(_rate_times(rater, 5) for rater in raters))
        await asyncio.gather(*(rater.insert() for rater in raters))


async def _in_sequence(work: Work, person: Reviewer, count: int) -> None:
    async with _at_work(work, [person]) as (rater,):
        await _rate_times(rater, 10)
        before = len(rater.sent)
        with work.measured("rating", lambda: len(rater.sent) - before):
            await _rate_times(rater, count)
        timed = [one.seconds for one in rater.sent[before:]]
        with work.measured("bare view", lambda: count):
            bare = [await rater.insert() for _ in range(count)]
    p50 = _percentile(timed, 50)
    work.report.target(
        "one reviewer in sequence: p50 (12 ms)", f"{_latency(timed)}, {len(timed)} ratings", is_met=p50 < 0.012
    )
    work.report.say("  a bare view that inserts one row", _latency(bare))
    work.report.say("  rating : bare view, p50", f"{p50 / _percentile(bare, 50):.2f}")


async def _as_fast_as_possible(work: Work, people: Sequence[Reviewer], seconds: float) -> None:
    async with _at_work(work, people) as raters:
        begun = time.perf_counter()

        async def go_on(rater: Rater) -> None:
            while time.perf_counter() - begun < seconds and await rater.rate():
                pass

        with work.measured("rating", lambda: sum(len(rater.sent) for rater in raters)):
            await asyncio.gather(*map(go_on, raters))
        wall = time.perf_counter() - begun
        timed = [one.seconds for rater in raters for one in rater.sent]
        inserts: list[float] = []
        begun_bare = time.perf_counter()

        async def insert(rater: Rater) -> None:
            while time.perf_counter() - begun_bare < seconds / 4:
                inserts.append(await rater.insert())

        with work.measured("bare view", lambda: len(inserts)):
            await asyncio.gather(*map(insert, raters))
        bare_rate = len(inserts) / (time.perf_counter() - begun_bare)
    rate, p95 = len(timed) / wall, _percentile(timed, 95)
    work.report.target(
        f"{len(people)} clients, as fast as answered (200/s)", f"{rate:.0f} ratings/s", is_met=rate >= 200
    )
    work.report.target("  p95 (150 ms)", _latency(timed), is_met=p95 < 0.150)
    work.report.say("  a bare view that inserts one row", f"{bare_rate:.0f}/s, {_latency(inserts)}")
    work.report.say("  bare view : rating, a second", f"{bare_rate / rate:.2f}")


async def _cut_off(work: Work, people: Sequence[Reviewer], times: int) -> None:
    """Connections that drop while the answer is on its way; the same rating is sent again under its key."""
    async with _at_work(work, people) as raters:
        await asyncio.gather(*(_rate_times(rater, times, cut=True) for rater in raters))
        count = sum(len(rater.sent) for rater in raters)
    work.report.say("sent twice over a connection that was cut", f"{count} ratings")


async def _at_human_pace(work: Work, people: Sequence[Reviewer], options: argparse.Namespace) -> None:
    chance = random.Random(3)  # noqa: S311
    async with _at_work(work, people) as raters:
        end = time.perf_counter() + options.pace_seconds

        async def go_on(rater: Rater) -> None:
            await asyncio.sleep(chance.uniform(0, options.pace))
            while time.perf_counter() < end and await rater.rate():
                await asyncio.sleep(options.pace * chance.uniform(0.6, 1.4))

        with work.measured("rating", lambda: sum(len(rater.sent) for rater in raters)):
            await asyncio.gather(*map(go_on, raters))
        timed = [one.seconds for rater in raters for one in rater.sent]
    name = f"{len(people)} reviewers, one rating in {options.pace:g} s: p95 (40 ms)"
    work.report.target(name, f"{_latency(timed)}, {len(timed)} ratings", is_met=_percentile(timed, 95) < 0.040)


def _at_once(work: Work, options: argparse.Namespace) -> None:
    """Twenty people ask for a text at the same moment, where each text is for one of them."""
    from benchmarks.load.checks import seats_too_many
    from benchmarks.load.studies import make_study, reviewers

    too_many, given, asked, broken = 0, 0, 0, 0
    for number in range(options.rounds):
        texts = 20 if number % 2 == 0 else 10
        study = make_study(title=f"Asked for at once {number}", items=texts, raters=1)
        people = reviewers(study=study, count=20)

        async def ask(people: Sequence[Reviewer]) -> list[tuple[int, str]]:
            raters = [Rater(person, work.servers.port) for person in people]
            answers = await asyncio.gather(
                *(rater.ask("POST", f"/rate/{rater.reviewer.study}/", accept="text/html") for rater in raters)
            )
            for rater in raters:
                rater.close()
            return [(answer.status, answer.location) for answer in answers]

        answers = asyncio.run(ask(people))
        asked += len(answers)
        given += sum(location.startswith("/texts/") for _, location in answers)
        broken += sum(status >= 500 for status, _ in answers)
    too_many = seats_too_many()
    expected = sum(20 if number % 2 == 0 else 10 for number in range(options.rounds))
    work.report.target(
        "20 at once, one rater a text: seats too many",
        f"{too_many} (0); {given} of {expected} texts given to {asked} who asked, {broken} × 5xx",
        is_met=too_many == 0 and broken == 0 and given == expected,
        of_time=False,
    )


def _sizes(work: Work, options: argparse.Namespace) -> None:
    """Statements and time of a round trip in a small and in a large study, of one reviewer."""
    if work.servers.database is None:
        work.report.say("statements a round trip", "not counted: only the embedded server lets its log be read")
        return
    from benchmarks.load.studies import make_study, reviewers

    for items in (100, options.large):
        begun = time.perf_counter()
        study = make_study(title=f"{items} texts", items=items, raters=3)
        made = time.perf_counter() - begun
        (person,) = reviewers(study=study, count=1)
        found, timed = asyncio.run(_count_statements(work, person, times=min(60, items - 40)))
        statements, control = len(found.counted) / COUNTED, found.control / COUNTED
        work.report.target(
            f"statements a round trip, {items:,} texts",
            f"{statements:g} (8), {control:g} of transaction control; {_latency(timed)}; study made in {made:.1f} s",
            is_met=0 < statements <= 8,
            of_time=False,
        )


async def _count_statements(work: Work, person: Reviewer, *, times: int) -> tuple["Statements", list[float]]:
    from benchmarks.load.checks import counting_statements

    async with _at_work(work, [person]) as (rater,):
        await _rate_times(rater, 10)
        assert work.servers.database is not None
        with counting_statements(work.servers.database, work.servers.statement_log) as found:
            await _rate_times(rater, COUNTED)
        before = len(rater.sent)
        with work.measured("rating", lambda: times):
            await _rate_times(rater, times)
        return found, [one.seconds for one in rater.sent[before:]]


def _first_page(work: Work, person: Reviewer) -> None:
    from benchmarks.load.first_page import first_page

    async def place() -> str:
        async with _at_work(work, [person]) as (rater,):
            return rater.place

    found = first_page(address=work.servers.address, reviewer=person, place=asyncio.run(place()))
    if found is None:
        work.report.say("first page", "not looked at: no browser is installed")
        return
    work.report.target(
        "first page (100 kB, 8 requests)",
        f"{found.size / 1000:.1f} kB in {len(found.requests)} requests, shown after {1000 * found.seconds:.0f} ms",
        is_met=0 < found.size < 100_000 and len(found.requests) <= 8,
        of_time=False,
    )
    for address, size in found.requests.items():
        work.report.say(f"  {address[:44]}", f"{size / 1000:.1f} kB")


# --- Their tools ------------------------------------------------------------------------------------------------------


class _at_work:  # noqa: N801
    """Raters with their first text on the desk; what they sent is kept."""

    def __init__(self, work: Work, people: Sequence[Reviewer]) -> None:
        self.work, self.people = work, people

    async def __aenter__(self) -> list[Rater]:
        self.raters = [Rater(person, self.work.servers.port) for person in self.people]
        begun = await asyncio.gather(*(rater.begin() for rater in self.raters))
        assert all(begun), "a reviewer was given no text"
        return self.raters

    async def __aexit__(self, *_: object) -> None:
        for rater in self.raters:
            self.work.sent += rater.sent
            rater.close()


async def _rate_times(rater: Rater, times: int, *, cut: bool = False) -> None:
    for _ in range(times):
        if not await rater.rate(cut=cut):
            return


def _server_errors(servers: Installation) -> int:
    """Answers with a status from 500 on, by the web server's own log."""
    lines = servers.web_log.read_text(errors="replace").splitlines()
    return sum(1 for line in lines if '" 5' in line and line.split('" ', 1)[1][:1] == "5")


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def _latency(values: Sequence[float]) -> str:
    marks = ((50, "p50"), (95, "p95"), (99, "p99"))
    found = ", ".join(f"{name} {1000 * _percentile(values, share):.1f}" for share, name in marks)
    return f"{found}, most {1000 * max(values):.1f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
