"""The synthetic sample of a fresh installation: a corpus, a batch, a study to rate and one that is finished.

Everything goes through the services that people's own data go through, and nothing is made twice.
"""

import csv
import uuid
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from django.db import transaction
from django.utils import timezone

import corpora
from accounts.models import User
from corpora.models import Corpus, EmbeddingJob, EmbeddingModel
from corpora.selectors import pending_documents
from corpora.services import create_corpus, import_file, queue_embedding, register_packaged_models
from corpora.services import run_embedding_job as embed
from evaluation.invitees import Invitee
from evaluation.models import Invitation, Slot, Study
from evaluation.services.allocation import claim_next
from evaluation.services.invitations import accept_invitation, invitation_path, invite, renew_invitation
from evaluation.services.items import add_items_from_rows
from evaluation.services.ratings import record_ratings
from evaluation.services.studies import close_study, create_study
from evaluation.tasks import start_launch
from evaluation.uploads import read_texts
from generation.models import Batch
from generation.services import BatchSpec, plan_batch, register_language_models, register_prompts
from generation.tasks import start_batch
from leases.services import claim

SAMPLE = Path(corpora.__file__).parent / "sample"
CORPUS = "Mineral processing (synthetic sample)"
BATCH = "First batch (sample)"
OPEN_STUDY = "Tailings storage (sample)"
FINISHED_STUDY = "Tailings storage, finished (sample)"
REVIEWERS = ("Reviewer One", "Reviewer Two")
QUERY = (
    "Which chemical, environmental and geotechnical conditions decide whether mine tailings can be stored safely and "
    "sustainably over the long term?"
)
INSTRUCTIONS = """\
You will read short abstracts that answer one question. Rate each on two criteria, from what it says alone.

- Take an abstract as it stands: where it came from is not shown, and does not matter.
- Judge the content before the language.
- There is no right number of *high* or *low* ratings.

The abstracts of this sample are **synthetic**: they were written for this demonstration and report no real work.
"""


@dataclass(frozen=True)
class Loaded:
    """The links by which the sample's reviewers come, by name; none once their study is closed."""

    reviewers: dict[str, str]


def load_sample(*, owner: User) -> Loaded:
    """Make what is missing of the sample, and return its reviewers' links."""
    register_prompts()
    register_language_models()
    models = {model.key: model for model in register_packaged_models()}
    corpus = _corpus(models["wordllama-256"])
    _batch(corpus, models["wordllama-256"], owner)
    _finished_study(owner)
    study = _open_study(owner)
    invitations = _invitations(study) if study.state == Study.State.OPEN else []
    return Loaded({one.name: invitation_path(one) for one in invitations})


def _corpus(model: EmbeddingModel) -> Corpus:
    corpus = Corpus.objects.filter(name=CORPUS).first() or create_corpus(
        name=CORPUS,
        description="60 abstracts written for Kappagraph; no real work stands behind them.",
        is_synthetic=True,
    )
    if not corpus.documents.exists():
        import_file(path=SAMPLE / "mineral_processing.csv", corpus=corpus, dry_run=False)
    # A later start has nothing to embed, and need not wait until the model is read.
    if pending_documents(corpus_id=corpus.pk, model_id=model.pk).exists():
        job = queue_embedding(corpus=corpus, model=model)
        if lease := claim(model=EmbeddingJob, pk=job.pk):
            embed(lease=lease)
    return corpus


@transaction.atomic
def _batch(corpus: Corpus, model: EmbeddingModel, owner: User) -> None:
    """A small grid on the extractive baseline, which needs no model at all."""
    if Batch.objects.filter(name=BATCH).exists():
        return
    spec = BatchSpec(
        name=BATCH,
        corpus=corpus,
        language_models=[one for one in register_language_models() if one.backend == "extractive"],
        prompts=register_prompts(),
        embedding_models=[model],
        temperatures=[Decimal("0.2"), Decimal("0.7")],
        queries=[QUERY],
        iterations=5,
    )
    start_batch(batch=plan_batch(spec=spec, created_by=owner))


@transaction.atomic
def _open_study(owner: User) -> Study:
    """Ten texts that wait for two reviewers."""
    return Study.objects.filter(title=OPEN_STUDY).first() or _launched(OPEN_STUDY, owner)


def _invitations(study: Study) -> list[Invitation]:
    """One link for each sample reviewer, renewed when it has run out."""
    known = {one.name: one for one in study.invitations.all()}
    if missing := [Invitee(name) for name in REVIEWERS if name not in known]:
        known |= {one.name: one for one in invite(study=study, people=missing)}
    links = [known[name] for name in REVIEWERS]
    return [renew_invitation(invitation=one) if one.expires_at <= timezone.now() else one for one in links]


@transaction.atomic
def _finished_study(owner: User) -> None:
    """The same texts, rated by two synthetic raters and closed, so that there is a report to read."""
    if Study.objects.filter(title=FINISHED_STUDY).exists():
        return
    study = _launched(FINISHED_STUDY, owner)
    scale = {
        (criterion.key, level.value): level.index
        for criterion in study.criteria.prefetch_related("levels")
        for level in criterion.levels.all()
    }
    answers: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    with (SAMPLE / "ratings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            answers[row["rater"]][row["item"]][row["criterion"]] = scale[row["criterion"], row["value"]]
    people = [Invitee(f"Synthetic rater {name}") for name in sorted(answers)]
    for name, invitation in zip(sorted(answers), invite(study=study, people=people), strict=True):
        reviewer = accept_invitation(invitation=invitation)
        while slot_id := claim_next(study_id=study.pk, reviewer=reviewer).slot:
            item = Slot.objects.values_list("item__external_id", flat=True).get(public_id=slot_id)
            record_ratings(slot_id=slot_id, reviewer=reviewer, answers=answers[name][item], key=uuid.uuid4())
    close_study(study=study)


def _launched(title: str, owner: User) -> Study:
    study = create_study(title=title, created_by=owner, instructions=INSTRUCTIONS, order_seed=1)
    path = SAMPLE / "study.csv"
    add_items_from_rows(study=study, rows=read_texts(path.read_bytes(), name=path.name))
    return start_launch(study=study)
