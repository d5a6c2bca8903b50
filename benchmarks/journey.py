"""The real run: a Scopus export of 701 rows through every step in the browser, timed, with every count checked.

Starts the demo's own servers on a state folder of its own, embeds with all-MiniLM-L6-v2 (sentence-transformers), writes
with SmolLM2 135M (transformers) and the extractive baseline, scores, rates as two people in two browsers, closes,
exports. Needs `make models`, a browser, and the export:

    .venv/bin/python benchmarks/journey.py ../shared/corpora/smart-on-fhir-literature-analysis/scopus.csv
"""

import argparse
import contextlib
import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "platform")]

from tests.browser.robot import Researcher, Reviewer  # noqa: E402
from tests.conftest import BROWSER_FLAGS, BROWSERS  # noqa: E402

QUERY = "How do standards such as FHIR let applications exchange health records with electronic health record systems?"
CORPUS, BATCH, STUDY = "SMART on FHIR", "SmolLM2 and the baseline", "Exchanging health records"
EMBEDDING = "all-MiniLM-L6-v2"
FILES = {
    "agreement.json",
    "codebook.md",
    "correlations.csv",
    "items.csv",
    "manifest.json",
    "missing.csv",
    "ratings.csv",
}


class Journey:
    """Prints the wall time of each step, and stops at the first count that is not as it should be."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        print(f"{name:<58} {time.perf_counter() - begun:8.1f} s", flush=True)

    @staticmethod
    def check(what: str, found: object, expected: object) -> None:
        if found != expected:
            sys.exit(f"{what}: {found!r} instead of {expected!r}")
        print(f"    {what}: {found}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("export", type=Path)
    export = arguments.parse_args().export
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("no browser found: install Debian's package `chromium`, or Google Chrome")
    with (
        tempfile.TemporaryDirectory(prefix="kappagraph-journey-") as folder,
        demo(Path(folder)) as site,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(
            executable_path=program, chromium_sandbox=os.geteuid() != 0, args=BROWSER_FLAGS
        )
        travel(Journey(), browser, site, export, Path(folder))
        browser.close()


def travel(journey: Journey, browser: Any, site: dict[str, str], export: Path, folder: Path) -> None:
    desk = browser.new_context(base_url=site["address"], locale="en-GB")
    researcher = Researcher(desk.new_page(), patience=3600)
    researcher.sign_in(username="admin", password=site["password"])

    with journey.step("dry run of the import"):
        dry = researcher.read_export(path=export, corpus=CORPUS)
    rows = list(csv.DictReader(io.StringIO(export.read_text("utf-8-sig"), newline="")))
    without = sum(row["Abstract"].strip() in {"", "[No abstract available]"} for row in rows)
    dois = [row["DOI"].strip().lower() for row in rows if row["DOI"].strip()]
    journey.check("rows read", dry["rows read"], len(rows))
    journey.check("rows left out (no abstract)", dry["left out"], without)
    journey.check("DOIs that stand twice in the file", len(dois) - len(set(dois)), 0)
    with journey.step("import"):
        documents = researcher.confirm_import()
    journey.check("documents imported", documents, len(rows) - without)

    researcher.open_corpus(CORPUS)
    with journey.step(f"embedding {documents} documents with {EMBEDDING}"):
        researcher.embed(model=EMBEDDING)
    with journey.step("a test query"):
        similarities = researcher.ask(query=QUERY, model=EMBEDDING, top_n=5)
    journey.check("documents found", len(similarities), 5)
    print(f"    similarities: {similarities}")

    researcher.design_batch(
        name=BATCH,
        corpus=CORPUS,
        language_models=["SmolLM2 135M", "TextRank extraction"],
        prompts=["A.1", "B.1"],
        embedding=EMBEDDING,
        temperatures="0.2, 0.7",
        query=QUERY,
        iterations=3,
        max_new_tokens=128,
    )
    with journey.step("generation: 2 models × 2 prompts × 2 temperatures × 3"):
        figures = researcher.launch_batch()
    journey.check("abstracts written", figures["written of 24"], 24)
    journey.check("runs failed", figures["failed"], 0)
    with journey.step("scores and profile of the first abstract, on its page"):
        researcher.open_abstract()

    with journey.step("study of ten abstracts: design, launch, two links"):
        researcher.design_study(title=STUDY, batch=BATCH, texts=10)
        researcher.launch_study()
        links = researcher.invite("Rita Rater", "Otto Rater")
    for shift, (name, path) in enumerate(links.items()):
        with journey.step(f"{name} rates by keyboard"):
            context = browser.new_context(base_url=site["address"], locale="en-GB")
            reviewer = Reviewer(context.new_page())
            reviewer.join(path, name=name)
            rated = reviewer.rate_everything(criteria=2, levels=partial(level, shift))
            context.close()
        journey.check("texts rated", rated, 10)

    with journey.step("closing the study"):
        researcher.open_study(STUDY)
        researcher.close_study()
    with journey.step("agreement report"):
        researcher.open_report()
    with journey.step("export, written by a worker and downloaded"):
        file = researcher.export(title=STUDY, folder=folder)
    check_export(journey, file)
    print(f"{'in all':<58} {time.perf_counter() - journey.begun:8.1f} s")


def level(shift: int, text: int, criterion: int) -> int:
    """What reviewer number `shift` thinks: the second differs from the first at every third text."""
    return (text + criterion + shift * (text % 3 == 0)) % 3


def check_export(journey: Journey, file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        count = {
            name: sum(1 for _ in csv.DictReader(io.StringIO(archive.read(name).decode(), newline="")))
            for name in ("ratings.csv", "items.csv", "missing.csv")
        }
        items = list(csv.DictReader(io.StringIO(archive.read("items.csv").decode(), newline="")))
        report = json.loads(archive.read("agreement.json"))
        journey.check("files in the zip", set(archive.namelist()), FILES)
    journey.check("ratings in the zip (2 people × 2 criteria × 10 texts)", count["ratings.csv"], 40)
    journey.check("items in the zip", count["items.csv"], 10)
    journey.check("ratings missing", count["missing.csv"], 0)
    journey.check("items with a spectral radius", sum(bool(item["spectral_radius"]) for item in items), 10)
    for criterion in report["criteria"]:
        kappa = criterion["pairs"][0]["coefficients"]["cohen_kappa_linear"]
        interval = f"95 % interval {kappa['ci']} ({kappa['ci_method']})"
        print(f"    {criterion['criterion']}: linear kappa {kappa['value']:.4f}, {interval}")


@contextlib.contextmanager
def demo(state: Path) -> Iterator[dict[str, str]]:
    """`make demo` on a state folder and a port of its own; its address and the administrator's password."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "STATE_DIR": str(state), "PORT": str(port)}
    command = [sys.executable, "-m", "kappagraph.demo"]
    begun = time.perf_counter()
    running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    printed = []
    try:
        assert running.stdout is not None
        for line in running.stdout:
            printed.append(line)
            if "Ctrl-C stops" in line:
                break
        else:
            sys.exit("the demo did not start:\n" + "".join(printed))
        password = re.search(r"password (\S+)", "".join(printed))
        assert password is not None
        print(f"{'servers, worker, web and sample: ready':<58} {time.perf_counter() - begun:8.1f} s", flush=True)
        yield {"address": f"http://localhost:{port}", "password": password[1]}
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(60)


if __name__ == "__main__":
    main()
