"""Files as people have them."""

import io

import numpy as np
import pytest

from evaluation.science.ratings import MISSING
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings

LEVELS = ("low", "medium", "high")
WIDE = "item,ana,ben\nd1,low,medium\nd2,high,high\nd3,medium,NA\n"
LONG = "item,rater,value\nd1,ana,low\nd1,ben,medium\nd2,ana,high\nd2,ben,high\nd3,ana,medium\nd3,ben,NA\n"
CODES = [[0, 1], [2, 2], [1, MISSING]]


def read(text, **options):
    data = text.encode() if isinstance(text, str) else text
    options.setdefault("levels", LEVELS)
    return read_ratings(data, name="f.csv", options=ReadOptions(**options))


def only(text, **options):
    return read(text, **options).criteria[0].table


def refusal(text, **options):
    with pytest.raises(RatingsFileError) as caught:
        read(text, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("text", [WIDE, LONG], ids=["wide", "long"])
def test_both_shapes_are_detected(text):
    table = only(text)
    assert table.codes.tolist() == CODES
    assert (table.raters, table.levels) == (("ana", "ben"), LEVELS)


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.replace(",", ";").encode(),
        lambda text: text.replace(",", "\t").encode(),
        lambda text: ("\n\n" + text + "\n\n").encode(),
        lambda text: text.replace("\n", ",,\n").encode(),
        lambda text: text.replace("ana", '"ana"').replace("d2", " d2 ").encode(),
    ],
    ids=["bom", "utf16", "utf16le", "utf16be", "crlf", "cr", "semicolon", "tab", "blank lines", "trailing", "quotes"],
)
def test_encodings_and_separators(encode):
    assert only(encode(WIDE)).codes.tolist() == CODES


def test_windows_1252_is_read_and_said():
    found = read("item,Zoë,ben\nd1,low,low\n".encode("cp1252"))
    assert found.criteria[0].table.raters == ("Zoë", "ben")
    assert any("Windows-1252" in notice for notice in found.notices)


def test_workbook():
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["item", "ana", "ben"], ["d1", 1, 2.0], ["d2", "3", None], [3, 2, 2]):
        book.active.append(row)
    book.create_sheet("notes")
    data = io.BytesIO()
    book.save(data)
    found = read(data.getvalue(), levels=("1", "2", "3"))
    assert found.criteria[0].table.codes.tolist() == [[0, 1], [2, MISSING], [1, 1]]
    assert found.criteria[0].items == ("d1", "d2", "3")
    assert any("first sheet" in notice for notice in found.notices)


@pytest.mark.parametrize("data", [b"PK\x03\x04 no workbook", b"\xd0\xcf\x11\xe0 old"])
def test_broken_and_old_workbooks_are_refusal(data):
    assert "f.csv" in refusal(data)


def test_numbers_default_to_their_values_with_a_notice():
    found = read("item,a,b\n1,1,2\n2,4,4\n", levels=None)
    assert found.criteria[0].table.levels == (1, 2, 4)
    assert any("1,2,4" in notice for notice in found.notices)


def test_numbers_as_text_and_decimal_commas_are_numbers():
    table = only('item;a;b\n1;"1,5";2\n2;2.0;1.5\n3; 2 ;02\n', levels=("1.5", "2"))
    assert table.levels == (1.5, 2)
    assert table.codes.tolist() == [[0, 1], [1, 0], [1, 1]]


def test_ten_numeric_levels_keep_numeric_order():
    text = "item,a,b\n" + "".join(f"i{n},{n},{n}\n" for n in (10, 9, 2, 1))
    assert only(text, levels=None).levels == (1, 2, 9, 10)


def test_text_levels_need_their_order():
    message = refusal(WIDE, levels=None)
    assert "row 2" in message
    assert "--levels" in message


@pytest.mark.parametrize("word", ["Medium", "medium ", " MEDIUM", "ｍedium"])
def test_stray_spellings_are_refused_with_a_suggestion_or_folded(word):
    text = WIDE.replace("medium", word, 1)
    message = refusal(text)
    assert "row 2" in message
    assert "did you mean 'medium'" in message
    assert "--fold" in message
    assert only(text, fold=True).codes.tolist() == CODES


def test_a_misspelt_level_is_refused_with_its_row():
    message = refusal(WIDE.replace("high,high", "high,hihg"))
    assert "row 3" in message
    assert "did you mean 'high'" in message


def test_labels_are_compared_as_text():
    """Aa and BB have one hash in some languages; they are two levels."""
    table = only("item,a,b\n1,Aa,BB\n2,BB,BB\n", levels=("Aa", "BB"))
    assert table.codes.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("mark", ["", "  ", "NA", "na", "N/A", "null", "NULL", "NaN", "#N/A"])
def test_missing_marks(mark):
    assert only(WIDE.replace("NA", mark)).codes.tolist() == CODES


def test_a_declared_level_wins_over_a_missing_mark():
    assert only("item,a,b\n1,NA,low\n", levels=("NA", "low")).codes.tolist() == [[0, 1]]


def test_repeated_ratings_name_both_rows():
    text = LONG + "d1,ana,high\n"
    message = refusal(text)
    assert "rows 2 and 8" in message
    assert "'d1'" in message
    assert "'ana'" in message
    found = read(text, duplicates="last")
    assert found.criteria[0].table.codes.tolist() == [[2, 1], [2, 2], [1, MISSING]]
    assert any("1 repeated rating" in notice for notice in found.notices)


def test_the_same_rating_twice_is_no_conflict():
    found = read(LONG + "d1,ana,low\nd1,ana,\n")
    assert found.criteria[0].table.codes.tolist() == CODES
    assert any("repeat the same value" in notice for notice in found.notices)


def test_repeated_items_of_a_wide_file_name_both_rows():
    assert "rows 2 and 5" in refusal(WIDE + "d1,high,medium\n")


def test_criteria_are_kept_apart():
    text = "item,rater,criterion,value\n1,a,clarity,low\n1,b,clarity,high\n2,a,novelty,low\n2,b,novelty,low\n"
    found = read(text)
    assert [entry.criterion for entry in found.criteria] == ["clarity", "novelty"]
    assert [entry.table.codes.tolist() for entry in found.criteria] == [[[0, 2]], [[0, 0]]]
    assert [entry.items for entry in found.criteria] == [("1",), ("2",)]


def test_a_wide_file_may_have_a_criterion_column():
    found = read("item,criterion,a,b\n1,clarity,low,high\n1,novelty,low,low\n")
    assert [entry.table.raters for entry in found.criteria] == [("a", "b"), ("a", "b")]


def test_columns_can_be_named():
    text = "who,what,mark,topic\nana,d1,low,q1\nben,d1,low,q1\nana,d2,high,q2\nben,d2,medium,q2\n"
    table = only(text, shape="long", item="what", raters=("who",), value="mark", cluster="topic")
    assert table.codes.tolist() == [[0, 0], [2, 1]]
    assert table.clusters.tolist() == [0, 1]
    assert "no column 'nobody'" in refusal(text, shape="long", raters=("nobody",))


def test_a_column_named_as_cluster_is_not_taken_for_the_criterion():
    text = "item,rater,value,aspect\n1,a,low,q1\n1,b,low,q1\n2,a,low,q2\n2,b,high,q2\n"
    assert len(read(text).criteria) == 2
    found = read(text, cluster="aspect")
    assert len(found.criteria) == 1
    assert found.criteria[0].table.clusters.tolist() == [0, 1]


def test_some_columns_of_a_wide_file():
    text = "item,text,a,b\n1,Abstract one,low,high\n2,Abstract two,low,low\n"
    assert "row 2" in refusal(text)
    assert only(text, raters=("a", "b")).codes.tolist() == [[0, 2], [0, 0]]


def test_an_item_in_two_clusters_names_both_rows():
    text = "item,rater,value,query\n1,a,low,q1\n1,b,low,q2\n"
    assert "rows 2 and 3" in refusal(text, cluster="query")


def test_the_study_export_reads_as_it_is():
    text = (
        "study,item,criterion,level,level_index,rater pseudonym,revision,slot state\n"
        "7,i1,importance,low,0,r-1,1,done\n7,i1,importance,high,2,r-2,1,done\n"
    )
    found = read(text)
    assert found.shape == "long"
    assert found.criteria[0].table.codes.tolist() == [[0, 2]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("  \n \n", "empty"),
        ("item,a,b\n", "no row"),
        ("item,a,a\n1,low,low\n", "occurs twice"),
        ("1,2,3\n4,5,6\n", "header"),
        ("item\n1\n", "no rater columns"),
        ("item,a,b\n1,low\n2,low,low,low\n", "row 3 has 4 cells"),
        ("item,a,b\n,low,low\n", "row 2"),
        ("item,rater,value\n1,,low\n", "row 2"),
        ("item,a,b\n1,NA,\n", None),
    ],
)
def test_what_cannot_be_read_is_said(text, words):
    if words is None:
        assert only(text).codes.tolist() == [[MISSING, MISSING]]
    else:
        assert words in refusal(text)


def test_a_file_of_texts_is_known_as_one_and_not_quoted_at_length():
    abstract = "Dams on soft tailings move when ponds rise. " * 40
    message = refusal(f"item,title,abstract\n1,Dams,{abstract}\n2,Ponds,{abstract}\n", levels=None)
    assert "is this a file of texts? Name the column with the ratings with --value" in message
    assert "('Dams', 'Dams on soft tailings move when ponds r…', 'Ponds')" in message
    assert len(message) < 250
    declared = refusal(f"item,a,b\n1,low,{abstract}\n", levels=("low", "high"))
    assert "is this a file of texts?" in declared
    assert len(declared) < 250


def test_long_item_names_and_headers_are_cut_in_messages():
    name = "tailings " * 30
    assert len(refusal(f"item,rater,value\n{name},a,1\n{name},a,2\n")) < 250
    assert len(refusal(f"{name}\n1\n")) < 250


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(400) + b"\x06\x00\x00\x00\x04" * 50,
        bytes(range(256)) * 20,
        b"item,a,b\n\x001,low,low\n",
        b"\xff\xfei\x00t\x00\x00",
    ],
)
def test_bytes_that_are_no_text_are_named_without_a_guess(data):
    assert "this is not UTF-8, UTF-16 or Windows-1252 text" in refusal(data)


@pytest.mark.parametrize("text", ['[{"item": 1}]', '\n{\n "item": 1}', "\ufeff[\n[1, 2]]"])
def test_json_is_named(text):
    assert "JSON is not read here; save the ratings as CSV, TSV or XLSX" in refusal(text)


def test_a_file_without_items_is_not_misread():
    """Two rater columns and no item column: the first one must not pass for item names."""
    assert "--item" in refusal("ana,ben\nlow,low\nlow,high\nhigh,high\nlow,low\n")


def test_measurements_are_not_levels():
    text = "item,a,b\n" + "".join(f"{i},{i / 7},{i / 9}\n" for i in range(120))
    assert "measurements" in refusal(text, levels=None)


@pytest.mark.parametrize("levels", [(), ("low", "low"), ("low", ""), ("1", "1.0"), tuple(map(str, range(51)))])
def test_impossible_scales_are_refusal(levels):
    assert refusal(WIDE, levels=levels)


def test_fifty_raters_and_no_overlap():
    rows = ["item,rater,value"] + [f"d{i},r{i},low" for i in range(50)]
    table = only("\n".join(rows))
    assert table.codes.shape == (50, 50)
    assert (np.diag(table.codes) == 0).all()
    assert table.ratings == 50
