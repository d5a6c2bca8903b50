"""Where sentences end."""

import pytest

from generation.science.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  One.  ", ["One."]),
        ("One rises. Two falls.", ["One rises.", "Two falls."]),
        ("Was it so? It was! Good.", ["Was it so?", "It was!", "Good."]),
        (
            "Smith et al. Found in 2020 it rose. Later it fell.",
            ["Smith et al. Found in 2020 it rose.", "Later it fell."],
        ),
        ("As shown by J. Smith it rose. It fell.", ["As shown by J. Smith it rose.", "It fell."]),
        ("A dose of 2.5 g/t was used. 30 % was lost.", ["A dose of 2.5 g/t was used.", "30 % was lost."]),
        ("See Fig. 3 for this. Next.", ["See Fig. 3 for this.", "Next."]),
        ("Metals, e.g. Cu, rise. Others, i.e. Zn, fall.", ["Metals, e.g. Cu, rise.", "Others, i.e. Zn, fall."]),
        ("It is vs. Sand. Then.", ["It is vs. Sand.", "Then."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Strength rose (by half). (Cement helps.) Done.", ["Strength rose (by half).", "(Cement helps.)", "Done."]),
        ("The pH was 7. α-Quartz sank. Ωmega rose.", ["The pH was 7. α-Quartz sank.", "Ωmega rose."]),
        ("no capital. here", ["no capital. here"]),
        ("One\nline. Two\nlines.", ["One line.", "Two lines."]),
    ],
)
def test_sentences(text, expected):
    assert split_sentences(text) == expected


def test_nothing_is_lost():
    text = "Dr. Lee measured 3.2 MPa at 25 °C. It rose! Did it? Cf. Table 2, vol. 7. End"
    assert " ".join(split_sentences(text)) == text
