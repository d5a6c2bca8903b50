"""What the science says, in the reader's language."""

import pytest
from django.utils import translation

from evaluation.reports.phrases import PATTERNS, SENTENCES, worded
from evaluation.science.agreement import report
from evaluation.science.bands import BANDS, POOR
from evaluation.science.ratings import RatingsTable
from graphs.science.metric_registry import METRICS
from graphs.science.null_models import NULL_MODELS


def test_every_name_and_explanation_can_be_translated():
    named = [text for metric in METRICS for text in (metric.label, metric.explanation)]
    named += [text for model in NULL_MODELS.values() for text in (model.label, model.explanation)]
    named += [POOR, *(name for name, _ in BANDS)]
    assert set(named) <= set(SENTENCES)


def test_english_and_the_command_line_get_the_sentence_itself():
    for language in ("en", None):
        with translation.override(language):
            assert worded("no item was rated by every rater") == "no item was rated by every rater"


def test_sentences_and_patterns_are_translated():
    with translation.override("es"):
        assert worded("no item was rated by every rater").startswith("ningún ítem")
        assert worded("no interval from a single cluster") == "sin intervalo con un solo grupo"
        assert "eficiencia global" in worded("global efficiency is undefined in 2 of 5 graphs")
        assert (worded(None), worded("")) == (None, "")
        assert worded("a sentence that nobody has listed") == "a sentence that nobody has listed"


def test_a_sentence_with_a_percent_sign_in_what_it_takes_over():
    with translation.override("es"):
        assert "100 %s" in worded("never used: 100 %s; coefficients still count every declared level")


@pytest.mark.parametrize("table", [[[5, 0, 0], [0, 5, 0], [0, 0, 5]], [[5, 0, 0], [0, 0, 0], [0, 0, 0]]])
def test_a_reports_own_reasons_and_warnings_are_known(table):
    found = report(RatingsTable.from_contingency(table, levels=("low", "medium", "high"))).to_json()
    pair = found["pairs"][0]
    said = [estimate["reason"] for estimate in {**pair["coefficients"], **found["overall"]}.values()]
    said += [test["reason"] for test in {**pair["marginal_tests"], **found["marginal_tests"]}.values()]
    said = [sentence for sentence in [*said, *found["warnings"]] if sentence]
    assert said
    with translation.override("es"):
        assert [sentence for sentence in said if worded(sentence) == sentence] == []


class Sevens(dict):
    def __missing__(self, key):
        return "7"


def test_each_pattern_finds_its_own_sentences():
    with translation.override("es"):
        for pattern in PATTERNS:
            sentence = pattern % Sevens()
            assert worded(sentence) == translation.gettext(pattern) % Sevens() != sentence


def test_what_the_reader_of_files_refuses_is_known():
    with translation.override("es"):
        for sentence in (
            "ratings.csv: the file is empty",
            "ratings.csv: row 3: 'hihg' is not among the levels low, medium, high; did you mean 'high'?",
            "ratings.csv, clarity: row 2: the levels are text (high, low): give all of them in order, lowest first, "
            "with --levels, as in --levels low,medium,high",
        ):
            assert worded(sentence) != sentence
            assert worded(sentence).startswith("ratings.csv")
        assert "¿quería decir 'high'?" in worded(
            "ratings.csv: row 3: 'hihg' is not among the levels low, medium, high; did you mean 'high'?"
        )
