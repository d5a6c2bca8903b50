"""Seeds of the runs of a batch: derived, never drawn, so that the same specification gives the same seeds anywhere."""

import hashlib
import json
from collections.abc import Sequence

__all__ = ["SEED_LIMIT", "cell_seeds"]

# The largest range that every kind of server accepts: some read a seed as a signed 32-bit integer.
SEED_LIMIT = 2**31


def cell_seeds(*, batch_seed: int, cell: Sequence[str], iterations: int) -> list[int]:
    """One seed for each iteration of a cell, distinct within the cell.

    Parameters
    ----------
    batch_seed
        The seed of the whole batch.
    cell
        What names the cell independently of any database key: model and revision, prompt and version, embedding and
        revision, temperature, query.
    iterations
        How many seeds. A longer list begins with the shorter one, so a cell can be extended.

    Returns
    -------
    list of int
        Each in [0, 2^31): the first 31 bits of SHA-256 over (batch seed, cell, iteration, attempt), where `attempt`
        rises from 0 until the seed is new within the cell.
    """
    seeds: dict[int, None] = {}
    for iteration in range(1, iterations + 1):
        attempt = 0
        while (seed := _digest(batch_seed, cell, iteration, attempt)) in seeds:
            attempt += 1
        seeds[seed] = None
    return list(seeds)


def _digest(batch_seed: int, cell: Sequence[str], iteration: int, attempt: int) -> int:
    named = json.dumps([batch_seed, list(cell), iteration, attempt], ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(named.encode()).digest()[:4]) % SEED_LIMIT
