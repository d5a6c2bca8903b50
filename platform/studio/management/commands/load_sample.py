import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from studio.sample import load_sample


class Command(BaseCommand):
    help = "Load the synthetic sample: a corpus, a batch, a study to rate and a finished one. Nothing is made twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--owner", default="admin", metavar="USERNAME", help="the studies' owner (default: admin)")
        parser.add_argument("--json", action="store_true", help="print the reviewers' links as JSON")

    def handle(self, *args: Any, owner: str, **options: Any) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"There is no user {owner}. Create one first: createsuperuser.", returncode=2)
        loaded = load_sample(owner=user)
        if options["json"]:
            people = [{"name": name, "path": path} for name, path in loaded.reviewers.items()]
            self.stdout.write(json.dumps({"reviewers": people}))
            return
        for name, path in loaded.reviewers.items():
            self.stdout.write(f"{name}: {path}")
