import pytest

from evaluation.presentation import neutral_text, render_markdown


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Plain text stays.", "Plain text stays."),
        ("Abstract: We show it.", "We show it."),
        ("ABSTRACT\nWe show it.", "We show it."),
        ("Abstract art matters.", "Abstract art matters."),
        ("# Title\n\nWe **show** it.\n\n* One\n* Two", "Title We show it. One Two"),
        ("“Curly” ‘quotes’ and don’t", "\"Curly\" 'quotes' and don't"),
        ("a\u00a0b \u200bc\r\n\r\nd", "a b c d"),
        ("We show it. © 2020 Elsevier B.V. All rights reserved.", "We show it."),
        ("We show it. (c) 2019 The Authors.", "We show it."),
        ("© 2018 IEEE. We show it.", "We show it."),
        ("Option (c) was best.", "Option (c) was best."),
        ("2 * 3 * 4 and α-Fe2O3 at pH 9.5", "2 * 3 * 4 and α-Fe2O3 at pH 9.5"),
        ("snake_case and __dunder__ in x_1", "snake_case and dunder in x_1"),
        ("***", "***"),
        ("```\nWe show it.\n```", "We show it."),
    ],
)
def test_marks_of_origin_go_and_words_stay(given: str, shown: str) -> None:
    assert neutral_text(given) == shown


def test_it_may_be_applied_twice() -> None:
    for text in ("**Abstract:** *a* - b", "## x\n> y", "© 2020 X. Y. Z."):
        assert neutral_text(neutral_text(text)) == neutral_text(text)


@pytest.mark.parametrize(
    "danger",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](javascript:alert(1))",
        '<a href="data:text/html,x">x</a>',
        '<p style="color:red">x</p>',
        "<iframe src=/></iframe>",
        "<form action=/x><button>x</button></form>",
        '<h2 id="content">x</h2>',
    ],
)
def test_instructions_carry_no_danger(danger: str) -> None:
    html = render_markdown(f"Before.\n\n{danger}\n\nAfter.")
    for part in ("<script", "<img", "javascript:", "data:", "style=", "<iframe", "<form", "<button", "onerror", "id="):
        assert part not in html
    assert "After." in html


def test_instructions_keep_their_structure_below_the_pages_heading() -> None:
    html = render_markdown(
        "# One\n\n## Two\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n[site](https://example.org)"
    )
    assert "<h2>One</h2>" in html
    assert "<h3>Two</h3>" in html
    assert "<h1>" not in html
    assert html.count("<li>") == 2
    assert "<td>1</td>" in html
    assert 'href="https://example.org"' in html
