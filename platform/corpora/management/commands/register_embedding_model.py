from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpora.services import register_embedding_model


class Command(BaseCommand):
    help = "Offer a sentence-transformers model of your own, by a folder on the workers or its name on a model hub."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", help="short name for commands and exports, such as all-mpnet-base-v2")
        parser.add_argument("--location", required=True, help="folder, or hub name such as sentence-transformers/…")
        parser.add_argument("--revision", required=True, help="hub commit or tag; for a folder any label of yours")
        parser.add_argument("--dimensions", required=True, type=int, choices=range(1, 2001), metavar="N")
        parser.add_argument("--name", help="as shown on pages; the key where it is not given")
        parser.add_argument(
            "--trust-remote-code",
            action="store_true",
            help="let the model run code that it brings along; only for publishers you trust, with a fixed revision",
        )

    def handle(self, *args: Any, key: str, location: str, revision: str, dimensions: int, **options: Any) -> None:
        model = register_embedding_model(
            key=key,
            revision=revision,
            backend="sentence-transformers",
            name=options["name"] or key,
            dimensions=dimensions,
            location=location,
            trust_remote_code=options["trust_remote_code"],
        )
        self.stdout.write(f"{model.key}@{model.revision}: {model.dimensions} dimensions, from {model.location}")
