"""Plan and launch a batch from a TOML file (docs/models.md shows one)."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from generation.selectors import estimate_runs, offered_language_models
from generation.services import BatchNotReady, BatchSpec, SpecError, plan_batch, read_spec
from generation.tasks import start_batch


class Command(BaseCommand):
    help = "Plan a batch from a TOML specification and launch it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("spec", help="the TOML file; - is standard input")
        parser.add_argument("--dry-run", action="store_true", help="say how many runs it has, and store nothing")
        parser.add_argument("--draft", action="store_true", help="plan it, but leave the launch to the studio")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            source = sys.stdin.read() if options["spec"] == "-" else Path(options["spec"]).read_text(encoding="utf-8")
            spec = read_spec(source=source)
        except (OSError, UnicodeDecodeError, SpecError) as error:
            raise CommandError(str(error), returncode=2) from error
        estimate = estimate_runs(
            language_models=spec.language_models,
            combinations=spec.combinations_per_model,
            iterations=spec.iterations,
        )
        self.stdout.write(f"{estimate.cells} cells, {estimate.runs} runs, about {estimate.seconds:.0f} s on one worker")
        self._warn(spec)
        if options["dry_run"]:
            return
        batch = plan_batch(spec=spec)
        if not options["draft"]:
            try:
                start_batch(batch=batch)
            except BatchNotReady as error:
                raise CommandError(f"{error} The batch stays a draft: {batch.public_id}") from error
        self.stdout.write(f"{batch.get_state_display()}: {batch.public_id}")

    def _warn(self, spec: BatchSpec) -> None:
        """Say which models no worker, or this process where none reports, can run."""
        offered = {one.model.pk: one.availability for one in offered_language_models()}
        for model in spec.language_models:
            found = offered[model.pk]
            if not found.can_run:
                self.stderr.write(f"Nothing here can run {model.key} yet: {found.reason}; {found.remedy}.")
