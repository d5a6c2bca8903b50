"""Texts for scoring tests: as many words as wanted, the same for the same seed."""

import random

STEMS = ("slurry", "water", "sand", "clay", "pond", "filter", "screw", "polymer", "floc", "yield", "shear", "grain")
ENDINGS = ("", "s", "ed", "ing", "less", "like", "based", "free")


def sentences(*, words: int = 60, seed: int = 0) -> str:
    chooser = random.Random(seed)  # noqa: S311
    vocabulary = [stem + ending for stem in STEMS for ending in ENDINGS]
    return " ".join(chooser.choice(vocabulary) for _ in range(words)).capitalize() + "."
