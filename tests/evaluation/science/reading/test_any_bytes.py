"""Whatever is uploaded, the reader answers with ratings or with one line of explanation."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings

CELLS = st.sampled_from(
    ["item", "rater", "value", "criterion", "low", "high", "Low ", "1", "2,5", "NA", "", '"', "é", "a"]
)
SHEETS = st.lists(st.lists(CELLS, max_size=5), max_size=8).flatmap(
    lambda rows: st.sampled_from(",;\t").map(lambda mark: "\n".join(mark.join(row) for row in rows))
)
DATA = st.one_of(
    st.binary(max_size=200),
    SHEETS.map(str.encode),
    SHEETS.map(lambda text: text.encode("utf-16")),
    SHEETS.map(lambda text: text.encode("cp1252")),
)
OPTIONS = st.sampled_from(
    [
        ReadOptions(),
        ReadOptions(levels=("low", "high"), fold=True, duplicates="last"),
        ReadOptions(levels=("1", "2.5"), shape="long"),
        ReadOptions(shape="wide", cluster="criterion"),
        ReadOptions(raters=("a",), value="value", item="item"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(DATA, OPTIONS)
@example(b"\xff\xfe\x00", ReadOptions())
@example(b"item,a,b\n\x001,low,low\n", ReadOptions(levels=("low",)))
@example(b"PK\x03\x04", ReadOptions())
@example(b"item,a,b\n1," + b'"' + b"x" * 200_000 + b'",low\n', ReadOptions(levels=("low", "x")))
@example(b"item,a,b\n1,1e400,2\n", ReadOptions())
@example(b"item,a,b\n1,1_0,2\n", ReadOptions())
@example(b'\xef\xbb\xbf"item",a,b\n1,1,2\n', ReadOptions())
def test_ratings_or_one_line(data, options):
    try:
        found = read_ratings(data, name="f", options=options)
    except RatingsFileError as refused:
        found, message = None, str(refused)
    if found is None:
        assert message.isprintable()
        assert 0 < len(message) <= 500
    else:
        assert found.criteria
        for entry in found.criteria:
            assert entry.table.codes.shape == (len(entry.items), len(entry.table.raters))
