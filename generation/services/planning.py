"""From a specification to a batch with its cells and runs."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from generation.models import Batch, Cell, Run
from generation.science.seeds import cell_seeds
from generation.services.specification import BatchSpec

CHUNK = 5000


def plan_batch(*, spec: BatchSpec, created_by: AbstractBaseUser | None = None) -> Batch:
    """A draft with every cell of the factorial and every run with its own seed; nothing runs before the launch.

    A run's seed follows from the batch's seed, what its cell is made of, and its iteration, so the same specification
    has the same seeds on any installation.

    Raises
    ------
    SpecError
        With everything that is wrong with the specification.
    """
    spec.check()
    combinations = spec.combinations()
    with transaction.atomic():
        batch = Batch.objects.create(
            name=spec.name.strip(),
            corpus=spec.corpus,
            iterations=spec.iterations,
            top_n=spec.top_n,
            max_new_tokens=spec.max_new_tokens,
            seed=spec.seed,
            created_by_id=created_by.pk if created_by else None,
        )
        cells = Cell.objects.bulk_create(
            Cell(
                batch=batch,
                language_model=combination.language_model,
                prompt=combination.prompt,
                embedding_model=combination.embedding_model,
                temperature=combination.temperature,
                query=combination.query,
            )
            for combination in combinations
        )
        runs = [
            Run(cell=cell, iteration=iteration, seed=seed)
            for cell, combination in zip(cells, combinations, strict=True)
            for iteration, seed in enumerate(
                cell_seeds(batch_seed=spec.seed, cell=combination.identity, iterations=spec.iterations), start=1
            )
        ]
        Run.objects.bulk_create(runs, batch_size=CHUNK)
    return batch
