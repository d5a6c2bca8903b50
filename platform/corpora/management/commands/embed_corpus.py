from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.models import EmbeddingJob, EmbeddingModel
from corpora.selectors import corpus_named, offered_models
from corpora.services import queue_embedding, register_packaged_models, run_embedding_job
from corpora.tasks import start_embedding
from leases.models import State
from leases.services import claim


class Command(BaseCommand):
    help = "Give every document of a corpus its vector under an embedding model; what has one already is left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--corpus", required=True, metavar="NAME")
        parser.add_argument("--model", default="wordllama-256", metavar="KEY[@REVISION]")
        parser.add_argument("--now", action="store_true", help="embed in this process instead of queueing it")

    def handle(self, *args: Any, corpus: str, model: str, now: bool, **options: Any) -> None:
        found = corpus_named(name=corpus)
        if found is None:
            raise CommandError(f"There is no corpus “{corpus}”. Import one first: import_corpus.", returncode=2)
        chosen = self._model(model)
        if not now:
            job = start_embedding(corpus=found, model=chosen)
            self.stdout.write(f"queued: {job.total - job.done} of {job.total} documents to embed with {chosen.name}")
            return
        job = queue_embedding(corpus=found, model=chosen)
        lease = claim(model=EmbeddingJob, pk=job.pk)
        if lease is None:
            raise CommandError(f"A worker is embedding “{corpus}” with {chosen.name} just now.", returncode=1)
        run_embedding_job(lease=lease)
        job.refresh_from_db()
        if job.state != State.DONE:
            raise CommandError(job.error or f"the job was {job.state}", returncode=1)
        self.stdout.write(f"{job.done} of {job.total} documents of “{corpus}” have a vector under {chosen.name}")

    def _model(self, name: str) -> EmbeddingModel:
        register_packaged_models()
        key, _, revision = name.partition("@")
        found = EmbeddingModel.objects.filter(key=key, **({"revision": revision} if revision else {})).last()
        if found is None:
            known = ", ".join(one.identity for one in offered_models())
            raise CommandError(f"There is no embedding model {name}; known are {known}.", returncode=2)
        return found
