"""What a draft's page offers beside what every study shows: sources of texts, and what stands before the launch."""

from typing import Any

from corpora.models import Corpus
from evaluation.models import Study
from evaluation.rubrics import CriterionSpec
from evaluation.selectors.readiness import readiness
from generation.models import Batch
from studio.studies.text_forms import BatchTextsForm, CorpusTextsForm, FileTextsForm, WrittenTextForm

__all__ = ["draft_context"]


def draft_context(study: Study, criteria: tuple[CriterionSpec, ...]) -> dict[str, Any]:
    seed = {"seed": study.order_seed}
    return {
        "batch_form": BatchTextsForm(prefix="batch", initial=seed),
        "corpus_form": CorpusTextsForm(prefix="corpus", initial=seed),
        "file_form": FileTextsForm(prefix="file"),
        "written_form": WrittenTextForm(prefix="written", criteria=criteria),
        "has_batches": Batch.objects.exists(),
        "has_corpora": Corpus.objects.exists(),
        "readiness": readiness(study=study),
    }
