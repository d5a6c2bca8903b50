"""`export_study ID --format zip [--output FILE]`: write a study's export here and now."""

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from evaluation.errors import AgreementHidden
from evaluation.models import Export, Study
from evaluation.services.exports import claim_new_export, write_export
from leases.models import State


class Command(BaseCommand):
    help = "Write the export of a study: ratings, items, what is missing, the agreement report, a codebook."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="ID", help="the study's public id, or its number")
        parser.add_argument("--format", choices=["zip"], default="zip")
        parser.add_argument("--output", type=Path, metavar="FILE", help="where to put it (default: among the exports)")
        parser.add_argument("--seed", type=int, default=0, help="seed of resamples and permutations (0)")
        parser.add_argument(
            "--like", type=UUID, metavar="EXPORT", help="keep the pseudonyms of an earlier export of this study"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = find_study(options["study"])
        like = None
        if options["like"] is not None:
            like = Export.objects.filter(study=study, public_id=options["like"]).first()
            if like is None:
                raise CommandError(f"This study has no export {options['like']}.")
        if options["seed"] < 0:
            raise CommandError("The seed must not be negative.")
        output: Path | None = options["output"]
        if output is not None and not output.absolute().parent.is_dir():
            raise CommandError(f"There is no folder {output.absolute().parent}.")
        try:
            lease = claim_new_export(study=study, seed=options["seed"], like=like)
        except AgreementHidden as hidden:
            raise CommandError(str(hidden)) from None
        write_export(lease=lease)
        export = Export.objects.get(pk=lease.pk)
        if export.state != State.DONE:
            raise CommandError(export.error or "The export was not finished.")
        place = Path(export.file.path) if output is None else deliver(Path(export.file.path), output)
        self.stdout.write(f"{place}\nsha256 {export.sha256}\nexport {export.public_id}")


def find_study(name: str) -> Study:
    """By public id, or by number."""
    try:
        if name.isascii() and name.isdigit():
            return Study.objects.get(pk=int(name))
        return Study.objects.get(public_id=UUID(name))
    except (Study.DoesNotExist, ValueError, OverflowError):
        raise CommandError(f"There is no study {name}.") from None


def deliver(stored: Path, output: Path) -> Path:
    """Copy beside the wanted place first, so that a reader never meets half a file."""
    part = output.with_name(f".{output.name}.part")
    try:
        shutil.copyfile(stored, part)
        part.replace(output)
    except OSError as error:
        raise CommandError(f"{output} could not be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return output
