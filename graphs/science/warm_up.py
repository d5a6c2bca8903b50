"""Compile the kernel for this machine, once and for all: `python -m graphs.science.warm_up`.

Whoever needs a compiled function first waits for it, up to a minute in all, and everybody else finds it on disk. Run
after an installation, nobody who looks at a page or waits for a score is that person.
"""

from graphs.science.engine import prefer_kernel
from graphs.science.null_comparison import compare_score_with_null
from graphs.science.null_models import NULL_MODELS
from graphs.science.scoring import score_text

__all__ = ["warm_up"]

TEXT = """
Thickened tailings settle slowly, and the water that they release returns to the mill. Flocculants bind fine particles,
so that water clears sooner; too much of a flocculant binds water instead. Filtered tailings need no dam, but filters
need energy. Dams fail where water stays, and where water stays nobody can build.
"""


def warm_up() -> None:
    """Use everything that is compiled: scoring a text, and drawing from each null model."""
    prefer_kernel()
    score = score_text(TEXT)
    for model in NULL_MODELS:
        compare_score_with_null(score, model, draws=2)


if __name__ == "__main__":
    warm_up()
