"""Drawing each row of a group from its own seed: exact sampling by the Gumbel-max trick.

For logits l and temperature T, argmax_i (l_i / T + g_i) with independent standard Gumbel g_i is a draw from
softmax(l / T). So greedy decoding of noisy logits *is* sampling, and the noise of each row can come from a generator of
its own: a seed then gives the same text alone and in a group. The noise is made on the CPU in double precision, so it
does not depend on the device, and its upper tail is not cut.

What may still differ between a group and a row alone is the rounding of the logits themselves, since matrix products
of other shapes add in another order. In float32 this changes a draw about never, in bfloat16 sometimes.
"""

from collections.abc import Sequence

import torch
from transformers import LogitsProcessor

__all__ = ["SeededGumbelNoise"]


class SeededGumbelNoise(LogitsProcessor):  # type: ignore[misc]
    """Logits / T plus Gumbel noise, row r from `seeds[r]`; decode greedily after it.

    Parameters
    ----------
    seeds
        One for each row of the batch.
    temperature
        Above 0.
    """

    def __init__(self, seeds: Sequence[int], temperature: float) -> None:
        self.temperature = temperature
        self.generators = [torch.Generator("cpu").manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        width = scores.shape[-1]
        # -log of an exponential variable is a Gumbel variable.
        noise = torch.stack(
            [-torch.empty(width, dtype=torch.float64).exponential_(generator=g).log() for g in self.generators]
        )
        return scores.double() / self.temperature + noise.to(scores.device)
