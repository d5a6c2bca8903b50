"""What has to be the same for two scores to be comparable."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from graphs.science.stopwords import StopwordList, default_stopwords

__all__ = ["SCORER_VERSION", "WEIGHTINGS", "WINDOWS", "GraphSettings", "Weighting"]

#: Part of every settings hash. Raise it whenever the same text and settings could give another token, edge or value.
SCORER_VERSION = "2"

Weighting = Literal["binary", "count", "ppmi", "npmi"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)

WINDOWS = range(2, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSettings:
    """How a text becomes a graph.

    Attributes
    ----------
    window : int
        Width of the sliding window in words, 2 to 10; at 3 each word is joined to the two that follow it.
    stopwords : StopwordList
        Words left out before the window slides.
    minimum_token_length : int
        Shorter tokens are left out as well, counted in code points, at least 1.
    lemmatise : bool
        Whether English plurals become singulars, by `graphs.science.lemmatisation`, once stop words are out.
    weighting : {"binary", "count", "ppmi", "npmi"}
        Entry of the adjacency matrix for an edge: 1, the number of co-occurrences, or the positive (normalised)
        pointwise mutual information. The paper defines the first; its code very likely used the second.
    self_loops : bool
        Whether a word that meets itself inside the window makes an edge to itself.

    Raises
    ------
    ValueError
        If a value is outside its range.
    """

    window: int = 3
    stopwords: StopwordList = field(default_factory=default_stopwords)
    minimum_token_length: int = 1
    lemmatise: bool = False
    weighting: Weighting = "binary"
    self_loops: bool = False

    def __post_init__(self) -> None:
        if self.window not in WINDOWS:
            raise ValueError(f"window must be a whole number from 2 to 10, not {self.window}")
        if self.minimum_token_length < 1:
            raise ValueError(f"minimum token length must be at least 1, not {self.minimum_token_length}")
        if self.weighting not in WEIGHTINGS:
            raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, not {self.weighting!r}")

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, the scorer's version among them."""
        return {
            "scorer_version": SCORER_VERSION,
            "window": int(self.window),
            "stopwords": {"name": self.stopwords.name, "sha256": self.stopwords.digest},
            "minimum_token_length": int(self.minimum_token_length),
            "lemmatise": bool(self.lemmatise),
            "weighting": self.weighting,
            "self_loops": bool(self.self_loops),
        }

    @property
    def digest(self) -> str:
        """Identity of the settings: sha256 of their canonical JSON, without the name of the stop-word list."""
        canonical = self.as_dict() | {"stopwords": self.stopwords.digest}
        return hashlib.sha256(json.dumps(canonical, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
