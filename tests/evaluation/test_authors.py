"""Whether a reviewer stands among the authors of a source."""

import pytest

from evaluation.authors import author_like


@pytest.mark.parametrize(
    ("authors", "name"),
    [
        ("Rater, Rita; Doe, Jane", "Rita Rater"),
        ("Doe, J.; Rater, R.", "Rita Rater"),
        ("Rita Rater and Jane Doe", "Rita Rater"),
        ("Jane Doe, Rita M. Rater", "Rita Rater"),
        ("Doe J, Rater RM", "Rita Rater"),
        ("Doe, J., Rater, R. M., Roe, P.", "Rita Rater"),
        ("R. Rater", "Dr. Rita Rater"),
        ("Rater, Rita", "Rater, Rita"),
        ("GÓMEZ-RÍOS, Íñigo", "Iñigo Gomez Rios"),
        ("Gómez I; Doe J", "Iñigo Gómez Ríos"),
        ("O’Brien, Pat", "Pat O'Brien"),
        ("van der Berg, Anna", "Anna van der Berg"),
        ("李明", "李明"),
    ],
)
def test_the_ways_in_which_bibliographies_name_one_person(authors: str, name: str) -> None:
    assert author_like(authors, name=name)


@pytest.mark.parametrize(
    ("authors", "name"),
    [
        ("Rater, Robert; Doe, Rita", "Rita Rater"),
        ("Rita Smith; Bob Rater", "Rita Rater"),
        ("Doe, Jane", "Rita Rater"),
        ("Rater", "Rita Rater"),
        ("", "Rita Rater"),
        ("Rater, Rita", ""),
        ("Rater, Rita", "Rita"),
        ("Anna van der Meer", "Anna van der Berg"),
        ("Rater, J.", "Rita Rater"),
    ],
)
def test_other_people_are_not_taken_for_the_reviewer(authors: str, name: str) -> None:
    assert author_like(authors, name=name) is None


def test_the_author_is_quoted_as_the_list_writes_them() -> None:
    assert author_like("Doe, J.; Rater, R.", name="Rita Rater") == "Rater, R."
