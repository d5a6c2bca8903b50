"""The whole journey in a real browser, on a real database, broker and worker: from an export to the report's zip."""

import csv
import io
import json
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import corpora
from corpora.models import Document, Embedding
from evaluation.models import Rating, Slot, Study
from generation.models import Abstract, Run
from generation.services import register_language_models, register_prompts
from graphs.models import Profile, Score
from kappagraph.demo.identity import dies_with_parent
from tests.browser.robot import Researcher, Reviewer
from tests.factories import make_researcher

pytestmark = pytest.mark.django_db(transaction=True)

EXPORT = Path(corpora.__file__).parent / "sample" / "mineral_processing.csv"
QUERY = "How can tailings be stored safely and their water be used again?"
CORPUS, BATCH, STUDY = "Mineral processing", "First grid", "Tailings storage"


def first_levels(text: int, criterion: int) -> int:
    return (text + criterion) % 3


def second_levels(text: int, criterion: int) -> int:
    """Agrees with the first but for every third text."""
    return (text + criterion + (text % 3 == 0)) % 3


@pytest.fixture
def clock(celery_worker_process: Any, test_environment: dict[str, str], tmp_path: Path) -> Iterator[None]:
    """Celery's beat, as in any installation: it lets the sweeper find texts that are not scored yet."""
    command = [sys.executable, "-m", "celery", "-A", "config", "beat", "--schedule", str(tmp_path / "schedule")]
    beat = subprocess.Popen(
        [*dies_with_parent(signal.SIGKILL), *command], env={**test_environment, "SWEEP_SECONDS": "2"}
    )
    yield
    beat.terminate()
    beat.wait(20)


def test_from_an_export_to_a_report(chromium: Any, clock: None, tmp_path: Path) -> None:
    make_researcher(username="renata", password="a long password")
    register_prompts()
    register_language_models()
    researcher = Researcher(chromium.new_page())
    researcher.sign_in(username="renata", password="a long password")

    dry = researcher.read_export(path=EXPORT, corpus=CORPUS)
    assert (dry["rows read"], dry["can be imported"], dry["left out"]) == (60, 60, 0)
    assert Document.objects.count() == 0
    assert researcher.confirm_import() == 60
    assert Document.objects.count() == 60

    researcher.open_corpus(CORPUS)
    researcher.embed(model="WordLlama 256")
    assert Embedding.objects.count() == 60
    similarities = researcher.ask(query=QUERY, model="WordLlama 256", top_n=4)
    assert len(similarities) == 4
    assert similarities == sorted(similarities, reverse=True)
    assert similarities[0] > 0.3

    researcher.design_batch(
        name=BATCH,
        corpus=CORPUS,
        language_models=["TextRank extraction"],
        prompts=["A.1", "B.1"],
        embedding="WordLlama 256",
        temperatures="0.2, 0.7",
        query=QUERY,
        iterations=3,
    )
    assert Run.objects.count() == 2 * 2 * 3
    assert researcher.launch_batch()["written of 12"] == 12
    assert Abstract.objects.count() == 12
    assert set(Run.objects.values_list("state", "attempts")) == {("done", 1)}
    researcher.open_abstract()
    abstract = Abstract.objects.order_by("pk").first()
    assert abstract is not None
    assert Score.objects.filter(text=abstract.text_id).count() == 1
    assert Profile.objects.filter(abstract=abstract).count() == 1

    researcher.design_study(title=STUDY, batch=BATCH, texts=4)
    frozen = researcher.launch_study()
    assert Study.objects.get().frozen_sha256 == frozen
    links = researcher.invite("Rita Rater", "Otto Rater")
    for (name, path), levels in zip(links.items(), (first_levels, second_levels), strict=True):
        reviewer = Reviewer(_own_browser(chromium, researcher).new_page())
        reviewer.join(path, name=name)
        assert reviewer.rate_everything(criteria=2, levels=levels) == 4
    assert Rating.objects.count() == 2 * 2 * 4
    assert set(Slot.objects.values_list("state", flat=True)) == {"rated"}

    researcher.open_study(STUDY)
    researcher.close_study()
    researcher.open_report()
    file = researcher.export(title=STUDY, folder=tmp_path)
    _check_export(file)


def _own_browser(chromium: Any, researcher: Researcher) -> Any:
    """Another person's browser, with cookies of its own."""
    origin = researcher.page.evaluate("location.origin")
    return chromium.browser.new_context(base_url=origin, locale="en-GB")


def _check_export(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("ratings.csv").decode())))
        items = list(csv.DictReader(io.StringIO(archive.read("items.csv").decode())))
        report = json.loads(archive.read("agreement.json"))
        manifest = json.loads(archive.read("manifest.json"))
    assert len(rows) == 16
    assert len(items) == 4
    assert manifest["seed"] == 0
    assert [criterion["criterion"] for criterion in report["criteria"]] == ["meaningfulness", "importance"]
    for criterion in report["criteria"]:
        assert (criterion["items"], criterion["raters"], criterion["ratings"]) == (4, 2, 8)
        (pair,) = criterion["pairs"]
        assert sum(map(sum, pair["table"])) == 4
        kappa = pair["coefficients"]["cohen_kappa_linear"]
        assert kappa["value"] is not None or kappa["reason"]
