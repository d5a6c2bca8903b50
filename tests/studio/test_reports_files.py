"""Agreement of a file: the same figures as the command line, refusals that help, and nothing kept for long."""

import io
import json
import random
import re
import subprocess
import sys
import zipfile
from html import unescape
from pathlib import Path

import openpyxl
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.factories import make_researcher, make_user

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "platform/corpora/sample/ratings.csv"
UPLOAD = "studio:ratings_upload"
WORDS = "item,a,b\n1,high,high\n2,low,medium\n3,medium,medium\n4,low,low\n"


@pytest.fixture(autouse=True)
def empty_cache(embedded_valkey):
    cache.clear()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """On a busy machine a second of processor time can take many of the clock."""
    monkeypatch.setattr("evaluation.reports.uploaded.WAIT", 600)


@pytest.fixture
def researcher(client):
    client.force_login(make_researcher())
    return client


def send(client, content: bytes | str, name="ratings.csv", **fields):
    data = content.encode() if isinstance(content, str) else content
    return client.post(reverse(UPLOAD), {"file": SimpleUploadedFile(name, data), **fields})


def report_of(client, content, **fields):
    response = send(client, content, **fields)
    assert response.status_code == 302, text(response)
    return client.get(response.url)


def text(response) -> str:
    body = response.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def command_line(path: Path, *options: str) -> str:
    command = [sys.executable, "-m", "kappagraph", "agreement", path.name, *options, "--json"]
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}", "PATH": "", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=path.parent, capture_output=True, check=True, env=environment)
    return done.stdout.decode()


def workbook(rows) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_the_download_is_what_the_command_line_prints(researcher):
    page = report_of(researcher, SAMPLE.read_bytes(), levels="low, medium, high", seed="3")
    answer = researcher.get(reverse("studio:ratings_download", args=[page.context["report_id"]]))
    assert answer["Content-Disposition"] == 'attachment; filename="ratings-agreement.json"'
    assert answer["Cache-Control"] == "private, no-store"
    assert answer.content.decode() == command_line(SAMPLE, "--levels", "low,medium,high", "--seed", "3")


@pytest.mark.parametrize("name", ["newsroom_ratings.csv", "seq2seq_summarization_ratings.csv"])
def test_real_ratings_have_the_figures_of_the_command_line(researcher, shared, name):
    path = shared / "ratings" / name
    if not path.exists():
        pytest.skip("the shared ratings are not beside this check-out")
    page = report_of(researcher, path.read_bytes(), name=name, levels="1,2,3,4,5")
    answer = researcher.get(reverse("studio:ratings_download", args=[page.context["report_id"]]))
    assert answer.content.decode() == command_line(path, "--levels", "1,2,3,4,5")


def test_the_page_is_that_of_a_study(researcher):
    page = report_of(researcher, SAMPLE.read_bytes(), levels="low,medium,high")
    found = text(page)
    assert "Two raters, ten items: moderate agreement on meaningfulness (linear κ 0.56, 95 % CI −0.07 to 0.87)" in found
    assert "Where raters differ: 4 of 10 items with two or more ratings" in found
    assert "Who is stricter?" in found
    assert "Only these figures are kept, not the file" in found
    section = page.context["sections"][0]
    assert [row["item"] for row in section["disagreements"]["rows"]] == ["S02", "S07", "S08", "S10"]
    # From the sample by hand: R1 gave low 3, medium 3, high 4; R2 low 3, medium 3, high 4.
    assert [(row["rater"], row["counts"], row["mean"]) for row in section["use"]] == [
        ("R1", [3, 3, 4], "2.10"),
        ("R2", [3, 3, 4], "2.10"),
    ]
    assert {template.name for template in page.templates} >= {
        "studio/reports/report_base.html",
        "studio/reports/_criterion.html",
        "studio/reports/_method.html",
    }


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("item\ta\tb\n1\t1\t2\n2\t2\t2\n3\t1\t1\n", "ratings.tsv"),
        ("item;a;b\n1;1,0;2\n2;2;2\n3;1;1\n", "ratings.csv"),
        ("\ufeffitem,a,b\n1,1,2\n2,2,2\n3,1,1\n".encode("utf-16"), "ratings.csv"),
        (workbook([["item", "a", "b"], [1, 1, 2], [2, 2, 2], [3, 1, 1]]), "ratings.xlsx"),
    ],
    ids=["tsv", "semicolons", "utf-16", "xlsx"],
)
def test_every_kind_of_file(researcher, content, name):
    page = report_of(researcher, content, name=name)
    assert page.context["sections"][0]["headline"][0]["value"] == "67 %"
    assert "no “Levels” given: the numbers that occur were taken as the scale, 1,2" in text(page)


def test_words_are_proposed_and_put_in_order_by_the_person(researcher):
    refused = send(researcher, WORDS)
    assert refused.status_code == 422
    assert "ratings.csv: row 2: the levels are text" in text(refused)
    assert "--" not in text(refused).split("What the file looks like")[0]
    assert [word for word, _ in refused.context["words"]] == ["high", "low", "medium"]
    assert all(place == "" for _, place in refused.context["words"])  # the order of appearance is no order
    answer = {"kept": str(refused.context["kept"]), "found": ["high", "low", "medium"], "place": ["3", "1", "2"]}
    page = researcher.get(researcher.post(reverse(UPLOAD), answer).url)
    assert page.context["sections"][0]["scale"].labels == ("low", "medium", "high")
    by_field = report_of(researcher, WORDS, levels="low,medium,high")
    assert by_field.context["sections"][0]["headline"] == page.context["sections"][0]["headline"]


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (["1", "1", "2"], "Two levels were given one place"),
        (["1", "x", "2"], "Places are whole numbers"),
        (["1", "", "2"], "'low' is not among the levels"),
        (["", "", ""], "the levels are text"),
    ],
)
def test_places_that_are_no_order(researcher, places, message):
    refused = send(researcher, WORDS, found=["high", "low", "medium"], place=places)
    assert refused.status_code == 422
    assert message in text(refused)


@pytest.mark.parametrize(
    ("content", "fields", "message"),
    [
        ("", {}, "The submitted file is empty"),
        ("   \n", {}, "the file is empty"),
        ("item,a,b\n", {}, "there is a header but no row under it"),
        ("1,2,3\n4,5,6\n", {}, "a header row with column names is needed"),
        ("item,a,b\n1,Medium ,medium\n", {"levels": "low,medium"}, "“Fold spellings” accepts such spellings"),
        ("item,a,b\n1,midium,low\n", {"levels": "low,medium"}, "row 2: 'midium' is not among the levels"),
        ("item,rater,value\n1,a,1\n1,a,2\n", {}, "rows 2 and 3 rate item '1', rater 'a', differently"),
        ("item,a,b\n1,1,2,3\n", {}, "row 2 has 4 cells, but the header has 3 columns"),
        (WORDS, {"levels": "low,low,high"}, "a level is declared twice"),
        (WORDS, {"item": "name"}, "no column 'name'; the columns are item, a, b"),
        (WORDS, {"shape": "round"}, "Select a valid choice"),
        (WORDS, {"seed": "-1"}, "greater than or equal to 0"),
    ],
)
def test_refusals_name_the_place_and_the_way_out(researcher, content, fields, message):
    refused = send(researcher, content, **fields)
    assert refused.status_code == 422
    assert message in text(refused)


def test_spellings_and_repeats_are_accepted_on_request(researcher):
    folded = report_of(researcher, "item,a,b\n1,Medium ,medium\n2,low,low\n3,LOW,low\n", levels="low,medium", fold="on")
    assert folded.context["sections"][0]["headline"][0]["value"] == "100 %"
    later = "item,rater,value\n1,a,1\n1,a,2\n1,b,2\n2,a,1\n2,b,1\n"
    assert report_of(researcher, later, take_later="on").context["sections"][0]["ratings"] == 4


def test_a_file_must_be_chosen_and_not_be_too_large(researcher, monkeypatch):
    assert "Choose a file." in text(researcher.post(reverse(UPLOAD), {}))
    gone = {"kept": "00000000-0000-4000-8000-000000000000"}
    assert "a quarter of an hour, which is over" in text(researcher.post(reverse(UPLOAD), gone))
    monkeypatch.setattr("studio.reports.file_forms.LARGEST_FILE", 10)
    assert "is larger than 20 MB" in text(send(researcher, WORDS))


def test_more_than_a_page_computes_is_refused(researcher):
    rows = "".join(f"{item},1,2\n" for item in range(100_001))
    assert "200,002 ratings; a page takes up to 200,000" in text(send(researcher, f"item,a,b\n{rows}"))
    rows = "".join(f"1,{rater},c{number},1\n" for number in range(21) for rater in "ab")
    assert "21 criteria; a page shows up to 20" in text(send(researcher, f"item,rater,criterion,value\n{rows}"))


def bomb(declared_rows: int = 0) -> bytes:
    """A small workbook whose sheet unpacks to hundreds of megabytes, or says that it has a million rows."""
    content = io.BytesIO(workbook([["item", "a", "b"], [1, 1, 2]]))
    out = io.BytesIO()
    with zipfile.ZipFile(content) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.infolist():
            data = source.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                if declared_rows:
                    end = f'<row r="{declared_rows}"><c r="XFD{declared_rows}"><v>1</v></c></row></sheetData>'
                    data = data.replace(b"</sheetData>", end.encode()).replace(
                        b"A1:C2", f"A1:XFD{declared_rows}".encode()
                    )
                else:
                    data = data.replace(b"</sheetData>", b" " * (201 * 1024**2) + b"</sheetData>")
            target.writestr(part.filename, data)
    return out.getvalue()


def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(researcher):
    small = bomb()
    assert len(small) < 1024**2
    assert "unpacks to more than 200 MB" in text(send(researcher, small, name="bomb.xlsx"))


def test_a_workbook_that_takes_too_long_is_given_up(researcher, monkeypatch):
    monkeypatch.setattr("evaluation.reports.uploaded.WAIT", 3)
    refused = send(researcher, bomb(declared_rows=1_048_576), name="wide.xlsx")
    assert refused.status_code == 422
    assert "takes more time or memory than a page may use" in text(refused)


def test_no_bytes_bring_the_page_down(researcher):
    rng = random.Random(7)  # noqa: S311
    valid = workbook([["item", "a", "b"], [1, 1, 2], [2, 2, 2]])
    files = [
        rng.randbytes(3000),
        b"PK\x03\x04" + rng.randbytes(3000),
        valid[: len(valid) // 2],
        b"item,a,b\n1," + b"x" * 300_000 + b",1\n",
        b"item,a,b\n\x00\x00\n\x00,\x00,\x00",
        b'item,"a,b\n1,2,3',
        "item,\ud800,b\n1,1,1\n".encode("utf-16", "surrogatepass"),
        b"item,a,b\n1,\x1b[31m,<script>alert(1)</script>\n2,x,y\n",
    ]
    for data in files:
        response = send(researcher, data, name="odd.xlsx")
        assert response.status_code in (302, 422)
        assert "<script>alert" not in response.content.decode()


def test_reports_belong_to_the_person_who_uploaded_the_file(researcher, client):
    page = report_of(researcher, SAMPLE.read_bytes(), levels="low,medium,high")
    addresses = [
        reverse(f"studio:{name}", args=[page.context["report_id"]]) for name in ("ratings_report", "ratings_download")
    ]
    client.force_login(make_researcher(username="other"))
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    forget = reverse("studio:ratings_forget", args=[page.context["report_id"]])
    assert client.post(forget).status_code == 302  # nothing of hers to delete
    client.force_login(page.wsgi_request.user)
    assert client.get(addresses[0]).status_code == 200
    assert client.get(forget).status_code == 405
    client.post(forget)
    assert client.get(addresses[0]).status_code == 404


def test_nothing_is_kept_beyond_a_day(researcher):
    page = report_of(researcher, SAMPLE.read_bytes(), levels="low,medium,high")
    client = cache._cache.get_client(None)
    keys = {key.decode(): client.ttl(key) for key in client.keys("*ratings*")}
    assert [name.rsplit(":", 1)[1] for name in keys] == [str(page.context["report_id"])]
    assert 0 < next(iter(keys.values())) <= 24 * 3600


def test_one_file_of_a_person_at_a_time(researcher):
    user = researcher.get(reverse(UPLOAD)).wsgi_request.user.pk
    cache.add(f"ratings-file-busy:{user}", True, 30)
    assert "Another file of yours is being computed" in text(send(researcher, WORDS, levels="low,medium,high"))
    cache.delete(f"ratings-file-busy:{user}")
    assert send(researcher, WORDS, levels="low,medium,high").status_code == 302


def test_only_researchers_come_in(client):
    page = reverse(UPLOAD)
    assert client.get(page).status_code == 302
    client.force_login(make_user())
    assert client.get(page).status_code == 403
    assert send(client, WORDS).status_code == 403


def test_a_report_takes_one_statement_whatever_its_size(researcher, django_assert_num_queries):
    small = report_of(researcher, WORDS, levels="low,medium,high").context["report_id"]
    rows = "".join(f"{item},{item % 3},{item % 2},{item % 3}\n" for item in range(200))
    large = report_of(researcher, f"item,a,b,c\n{rows}").context["report_id"]
    for report in (small, large):
        with django_assert_num_queries(1):  # the person; figures come from the cache
            researcher.get(reverse("studio:ratings_report", args=[report]))


def test_many_raters_fit_on_a_page(researcher):
    raters = [f"r{number}" for number in range(12)]
    rows = "".join(",".join([str(item), *(str((item * k) % 3) for k in range(12))]) + "\n" for item in range(20))
    page = report_of(researcher, ",".join(["item", *raters]) + "\n" + rows)
    assert page.context["sections"][0]["more_pairs"] == 66 - 45
    assert "21 more pairs in the JSON" in text(page)
    stored = json.loads(researcher.get(reverse("studio:ratings_download", args=[page.context["report_id"]])).content)
    assert len(stored["criteria"][0]["pairs"]) == 66
