"""Real ratings by several people, where they are at hand."""

from pathlib import Path

import pytest

from evaluation.science.agreement import report
from evaluation.science.intervals.choice import IntervalOptions
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings

RATINGS = Path(__file__).resolve().parents[3].parent / "shared" / "ratings"
pytestmark = pytest.mark.skipif(not RATINGS.exists(), reason="the shared ratings are not beside this check-out")


def read(name):
    return read_ratings((RATINGS / name).read_bytes(), name=name, options=ReadOptions(levels=tuple("12345")))


def test_newsroom_agreement_is_low():
    """Ordinal α by an independent implementation."""
    expected = {"Informativeness": 0.285, "Relevance": 0.115, "Fluency": -0.016, "Coherence": 0.065}
    found = {
        entry.criterion: report(entry.table, options=IntervalOptions(bootstrap=0)).overall["krippendorff_alpha_ordinal"]
        for entry in read("newsroom_ratings.csv").criteria
    }
    assert {name: round(alpha.value, 3) for name, alpha in found.items()} == expected
    assert all(alpha.ci[0] < alpha.value < alpha.ci[1] for alpha in found.values())


def test_repeated_ratings_that_agree_are_counted_once_and_said():
    found = read("seq2seq_summarization_ratings.csv")
    assert any("84 repeated ratings: all repeat the same value" in notice for notice in found.notices)
    assert {entry.table.items for entry in found.criteria} == {404}
