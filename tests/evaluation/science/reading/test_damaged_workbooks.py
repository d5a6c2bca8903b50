"""A damaged workbook, or one that unpacks without end, is refused in one line like any other file."""

import io
import random
import zipfile

import openpyxl
import pytest

from evaluation.science.reading import sheets
from evaluation.science.reading.errors import RatingsFileError
from evaluation.science.reading.options import ReadOptions
from evaluation.science.reading.ratings_file import read_ratings


@pytest.fixture(scope="module")
def workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in [("item", "rater", "rating"), (1, "a", "low"), (1, "b", "high"), (2, "a", "low"), (2, "b", "low")]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def refusal(data: bytes) -> str | None:
    try:
        read_ratings(data, name="f.xlsx", options=ReadOptions(levels=("low", "high")))
    except RatingsFileError as error:
        return str(error)
    return None


def rewritten(workbook: bytes, part: str, body: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as source, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, body if name == part else source.read(name))
    return stream.getvalue()


@pytest.mark.filterwarnings("ignore")
def test_flipped_bytes(workbook: bytes) -> None:
    chance = random.Random(1)  # noqa: S311 - which bytes, so that a failure repeats
    refused = 0
    for _ in range(150):
        data = bytearray(workbook)
        for _ in range(chance.randint(1, 5)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        message = refusal(bytes(data))
        refused += message is not None
        assert message is None or (message.isprintable() and len(message) <= 500)
    assert refused > 100


@pytest.mark.filterwarnings("ignore")
def test_cut_and_broken_parts(workbook: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    refused = 0
    for part, body in parts.items():
        for broken in (b"", body[: len(body) // 2], body.replace(b"=", b"<", 3), body.replace(b"<", b"\0", 2)):
            message = refusal(rewritten(workbook, part, broken))
            refused += message is not None
            assert message is None or (message.isprintable() and len(message) <= 500)
    assert refused > 10


def test_a_workbook_that_unpacks_without_end(workbook: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_UNPACKED", 2_000_000)
    bomb = rewritten(workbook, "xl/worksheets/sheet1.xml", b" " * 3_000_000)
    assert len(bomb) < 20_000
    message = refusal(bomb)
    assert message is not None
    assert "are the most" in message
    assert "CSV" in message
    assert refusal(workbook) is None
