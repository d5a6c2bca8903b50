import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.science.tokenisation import tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \n\t ", []),
        ("Rivers carry SAND.", ["rivers", "carry", "sand"]),
        ("... -- / - ' \" %", []),
    ],
)
def test_plain_text(text: str, tokens: list[str]) -> None:
    assert tokenise(text) == tokens


@pytest.mark.parametrize("apostrophe", list("'’‘‛`´ʼʹ′＇"))
def test_every_apostrophe_is_deleted(apostrophe: str) -> None:
    assert tokenise(f"it doesn{apostrophe}t care") == ["it", "doesnt", "care"]


@pytest.mark.parametrize("pause", ["—", " — ", "―", "--", "---", "...", "…", "⸺", "–—"])
def test_a_pause_parts_words(pause: str) -> None:
    assert tokenise(f"river{pause}traffic") == ["river", "traffic"]


@pytest.mark.parametrize("hyphen", list("-‐‑‒–−﹣－"))
def test_every_hyphen_inside_a_word_is_one_character(hyphen: str) -> None:
    assert tokenise(f"step{hyphen}by{hyphen}step") == ["step-by-step"]


@pytest.mark.parametrize("text", ["-river", "river-", "- river -", "(-river-)", "/river/", ".river."])
def test_a_joiner_at_the_edge_of_a_word_is_deleted(text: str) -> None:
    assert tokenise(text) == ["river"]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("α-Fe2O3", "α-fe2o3"),
        ("α‑Fe₂O₃", "α-fe2o3"),
        ("(α)-Fe₂O₃,", "α-fe2o3"),
        ("Fe(III)", "feiii"),
        ("Ca²⁺", "ca2"),
        ("SO₄²⁻", "so42"),
        ("10⁻³", "10-3"),
        ("m²", "m2"),
        ("µm", "μm"),
        ("Ω", "ω"),
        ("Å", "å"),
        ("½", "1/2"),
        ("β-lactamase", "β-lactamase"),
        ("5′-UTR", "5-utr"),
    ],
)
def test_scientific_terms_survive_as_one_token(text: str, token: str) -> None:
    assert tokenise(text) == [token]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("3.5", "3.5"),
        ("(0.05).", "0.05"),
        ("1,000", "1000"),
        ("v1.0", "v1.0"),
        (".5", "5"),
        ("-5", "5"),
        ("2020–2024", "2020-2024"),
        ("p<0.05", "p0.05"),
        ("10%", "10"),
        ("mg/L", "mg/l"),
        ("and/or", "and/or"),
    ],
)
def test_numbers_and_units(text: str, token: str) -> None:
    assert tokenise(text) == [token]


@pytest.mark.parametrize(
    ("text", "token"),
    [("e.g.", "eg"), ("U.S.", "us"), ("word(s)", "words"), ("snake_case", "snakecase"), ("“quoted”", "quoted")],
)
def test_other_punctuation_is_deleted_without_parting_the_word(text: str, token: str) -> None:
    assert tokenise(text) == [token]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("eﬃcient", "efficient"),
        ("ｆｕｌｌ", "full"),
        ("Kappa™", "kappa"),
        ("ta\u00adpered", "tapered"),
        ("zero\u200bwidth", "zerowidth"),
        ("\ufeffmark", "mark"),
        ("cafe\u0301", "café"),
        ("ΟΔΟΣ", "οδος"),
        ("¨free¨", "free"),
        ("lone\ud800surrogate", "lonesurrogate"),
    ],
)
def test_unicode_forms_are_unified(text: str, token: str) -> None:
    assert tokenise(text) == [token]


def test_a_no_break_space_parts_words() -> None:
    assert tokenise("5\u00a0mg\u2009per\u3000litre") == ["5", "mg", "per", "litre"]


def test_a_token_needs_a_letter_or_a_digit() -> None:
    assert tokenise("a \u0301 b") == ["a", "b"]


@given(st.text())
def test_tokenising_twice_changes_nothing(text: str) -> None:
    tokens = tokenise(text)
    assert tokenise(" ".join(tokens)) == tokens


@given(st.text())
def test_tokens_are_words(text: str) -> None:
    for token in tokenise(text):
        assert token
        assert not any(character.isspace() for character in token)
        assert any(character.isalnum() for character in token)


@given(st.text(alphabet=string.ascii_letters + string.digits + string.punctuation + " \n"))
def test_words_of_plain_text_are_the_methods_up_to_joiners(text: str) -> None:
    text = text.replace("--", "-").replace("--", "-").replace("..", ".").replace("..", ".")
    if "--" in text or ".." in text:
        return
    literal = text.lower().translate(str.maketrans("", "", string.punctuation)).split()
    # A pause may arise once other punctuation inside it is deleted, as in "-,-".
    bare = "".join(character for character in text if character in "-." or character not in string.punctuation)
    if "--" in bare or ".." in bare:
        return
    assert [token.translate(str.maketrans("", "", "-/.")) for token in tokenise(text)] == literal
