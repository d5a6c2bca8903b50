"""From raw output to the abstract in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.science.cleaning import clean_abstract

BODY = "Thickened tailings settle slowly. We measured the yield stress at four doses."


@pytest.mark.parametrize(
    ("raw", "steps"),
    [
        (BODY, ()),
        (f"  {BODY}\n", ()),
        (f"Abstract: {BODY}", ("label",)),
        (f"**Abstract:** {BODY}", ("label",)),
        (f"**Abstract**\n\n{BODY}", ("label",)),
        (f"# Abstract\n{BODY}", ("label",)),
        (f"ABSTRACT\n{BODY}", ("label",)),
        (f"Abstract — {BODY}", ("label",)),
        (f"Proposed abstract: {BODY}", ("label",)),
        (f"Sure! Here is the abstract:\n\n{BODY}", ("preamble",)),
        (f"Here's a new abstract: {BODY}", ("preamble",)),
        (f"Certainly, here is one:\n\nAbstract: {BODY}", ("preamble", "label")),
        (f"Title: Settling of tailings\n\n{BODY}", ("title",)),
        (f"**Title:** Settling\n\n**Abstract:** {BODY}", ("title", "label")),
        (f"# Settling of tailings in cones\n\n{BODY}", ("title",)),
        (f"**Settling of tailings in cones**\n\n{BODY}", ("title",)),
        (f"{BODY}\n\nKeywords: tailings, settling", ("tail",)),
        (f"{BODY}\n\n**Key words:** tailings", ("tail",)),
        (f"{BODY}\n\nReferences:\n[1] Smith", ("tail",)),
        (f"{BODY}\n\nLet me know if you want changes!", ("tail",)),
        (f"{BODY}\n\nI hope this helps.", ("tail",)),
        (f"{BODY}\n\n(Word count: 12)\nNote: shortened.", None),
        (f"```\n{BODY}\n```", ("fence",)),
        (f"```markdown\nAbstract: {BODY}\n```", ("fence", "label")),
        (f"<think>First, the user wants…</think>\n{BODY}", ("thoughts",)),
        (f"I should be brief.</think>{BODY}", ("thoughts",)),
        (f"{BODY}<|im_end|>\n<|im_start|>user\nMore?", ("tokens",)),
        (f"<s>{BODY}</s>", ("tokens",)),
        (BODY.replace("yield stress", "**yield stress**"), ("markdown",)),
        (BODY.replace("slowly", "*slowly*"), ("markdown",)),
        (BODY.replace("yield stress", "[yield stress](https://example.org/x)"), ("markdown",)),
        (f"> {BODY}", ("markdown",)),
        (f'"{BODY}"', ("quotes",)),
        (f"“{BODY}”", ("quotes",)),
        (BODY.replace("slowly. We", "slowly.\n\nWe"), ("spacing",)),
        (BODY.replace(" ", "  "), ("spacing",)),
    ],
)
def test_what_is_not_the_abstract_is_taken_off(raw, steps):
    cleaned = clean_abstract(raw)
    if steps is None:
        assert cleaned.text.startswith(BODY)
        assert "shortened" not in cleaned.text
    else:
        assert cleaned.text == BODY
        assert cleaned.steps == steps


@pytest.mark.parametrize(
    "text",
    [
        "Based on tests in a pilot plant, recovery rose by 4 %.",
        "Abstract models of flotation neglect froth drainage.",
        "Here we show that fines limit the strength of paste.",
        "Great care is needed: sulphides oxidise in weeks.",
        "The ratio 3*4*5 and the name a_b_c stay, as do α-Fe2O3 and CO2.",
        "Background: tailings settle. Methods: cones. Results: slow.",
        'The term "paste" is used loosely, and so is "slurry"',
        "Samples [1] and [2] were alike; see the (111) face.",
        "In 2020 it rose. 2. It fell again.",
        "We used x < 3 and y > 4 in all runs.",
        "Notes of the operators were coded by hand.",
        "Keywords were extracted from 40 papers.",
    ],
)
def test_what_belongs_to_an_abstract_stays(text):
    cleaned = clean_abstract(text)
    assert cleaned.text == text
    assert cleaned.steps == ()


@pytest.mark.parametrize("raw", ["", "  \n", "Abstract:", "<think>never ends", "</s>", "```\n```"])
def test_nothing_left_is_empty(raw):
    assert clean_abstract(raw).text == ""


def test_lists_lose_their_marks():
    raw = "We report:\n- slow settling\n- high yield stress\n1. more water\n2) less cement"
    assert clean_abstract(raw).text == "We report: slow settling high yield stress more water less cement"


@given(st.text())
def test_cleaning_never_fails_and_leaves_one_line(raw):
    cleaned = clean_abstract(raw)
    assert "\n" not in cleaned.text
    assert cleaned.text == " ".join(cleaned.text.split())


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1), st.integers(1, 20))
def test_plain_prose_is_left_alone(word, length):
    text = " ".join([f"w{word}"] * length) + "."
    import unicodedata

    assert clean_abstract(text).text == " ".join(unicodedata.normalize("NFC", text).split())
