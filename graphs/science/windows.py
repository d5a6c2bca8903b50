"""One text under several windows: do its figures depend on how far a word reaches?"""

from collections.abc import Iterable
from dataclasses import replace

from graphs.science.construction import content_words
from graphs.science.scoring import TextScore, score_words
from graphs.science.settings import WINDOWS, GraphSettings

__all__ = ["score_windows"]


def score_windows(
    text: str, settings: GraphSettings | None = None, windows: Iterable[int] = WINDOWS
) -> dict[int, TextScore]:
    """Score a text under each window; it is tokenised once.

    Parameters
    ----------
    text : str
        Running text, possibly empty.
    settings : GraphSettings, optional
        Everything but the window.
    windows : iterable of int
        2 to 10; all of them unless given.

    Returns
    -------
    dict of int to TextScore
        By window, in the order given. Each carries its own settings, and so its own identity.

    Raises
    ------
    ValueError
        If a window is out of range.

    Examples
    --------
    >>> scores = score_windows("slow rivers carry fine sand", windows=(2, 3))
    >>> {window: score.metrics.edges for window, score in scores.items()}
    {2: 4, 3: 7}
    """
    settings = settings or GraphSettings()
    variants = {window: replace(settings, window=window) for window in windows}
    words = content_words(text, settings)
    return {window: score_words(words, variant) for window, variant in variants.items()}
