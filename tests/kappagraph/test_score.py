import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphs.science.metric_registry import METRIC_KEYS
from graphs.science.scoring import score_text
from graphs.science.settings import GraphSettings
from kappagraph.cli import main

ROOT = Path(__file__).parents[2]
FIRST = "Fine particles settle slowly in tailings ponds, and fine particles keep tailings soft."
SECOND = "Dams on soft tailings move when ponds rise; ponds rise after “heavy” rain — step by step."

Run = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `score` with arguments and standard input; return exit code, records and standard error."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(["score", *map(str, arguments)])
        output = capsys.readouterr()
        return code, [json.loads(line) for line in output.out.splitlines()], output.err

    return run


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    file = tmp_path / "first.txt"
    file.write_text(FIRST, "utf-8")
    return file


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


class TestRecord:
    def test_a_text_file_is_one_text(self, run: Run, text_file: Path) -> None:
        code, [record], errors = run(text_file, "--json")
        score = score_text(FIRST)
        assert (code, errors) == (0, "")
        assert record["id"] == str(text_file)
        assert record["tokens"] == len(score.words)
        assert (record["nodes"], record["edges"]) == (score.graph.nodes, score.graph.size)
        assert record["components"] == 1
        assert record["metrics"] == score.metrics.values()
        assert list(record["metrics"]) == list(METRIC_KEYS)
        assert record["undefined"] == record["nulls"] == record["null_draws"] == record["cautions"] == {}

    def test_the_settings_say_what_was_done(self, run: Run, text_file: Path) -> None:
        _, [record], _ = run(text_file)
        assert record["settings"] == {
            **GraphSettings().as_dict(),
            "sha256": GraphSettings().digest,
            "adjacency": "binary",
            "nulls": [],
            "draws": 1000,
            "seed": 0,
        }

    def test_a_text_without_words_is_undefined_with_reasons(self, run: Run, tmp_path: Path) -> None:
        code, [record], _ = run(write(tmp_path, "empty.txt", "It was the."))
        assert code == 0
        assert record["metrics"] == dict.fromkeys(METRIC_KEYS)
        assert record["undefined"].keys() == set(METRIC_KEYS)

    @pytest.mark.parametrize(
        ("options", "settings"),
        [
            (["--window", "5"], GraphSettings(window=5)),
            (["--adjacency", "weighted"], GraphSettings(weighting="count")),
            (["--weighting", "npmi"], GraphSettings(weighting="npmi")),
            (["--self-loops", "--adjacency", "weighted"], GraphSettings(weighting="count", self_loops=True)),
            (["--min-length", "5"], GraphSettings(minimum_token_length=5)),
            (["--lemmatise"], GraphSettings(lemmatise=True)),
        ],
    )
    def test_options_reach_the_settings(
        self, run: Run, text_file: Path, options: list[str], settings: GraphSettings
    ) -> None:
        _, [record], _ = run(text_file, *options)
        assert record["metrics"] == score_text(FIRST, settings).metrics.values()
        assert record["settings"]["sha256"] == settings.digest
        assert record["settings"]["adjacency"] == ("binary" if settings.weighting == "binary" else "weighted")


class TestStopwords:
    def test_none(self, run: Run, text_file: Path) -> None:
        _, [record], _ = run(text_file, "--stopwords", "none")
        assert record["tokens"] == 13

    def test_a_file(self, run: Run, text_file: Path, tmp_path: Path) -> None:
        words = write(tmp_path, "words", "\ufeffFine\r\n\r\nsoft\r\n")
        _, [record], _ = run(text_file, "--stopwords", words)
        assert record["tokens"] == 10
        assert record["settings"]["stopwords"]["name"] == "words"

    def test_the_nltk_file_is_the_default(self, run: Run, text_file: Path) -> None:
        file = ROOT / "graphs" / "science" / "stopword_lists" / "nltk-english-179.txt"
        _, [by_file], _ = run(text_file, "--stopwords", file)
        _, [by_default], _ = run(text_file)
        assert by_file["settings"]["sha256"] == by_default["settings"]["sha256"]

    def test_neither_name_nor_file(self, run: Run, text_file: Path) -> None:
        code, records, errors = run(text_file, "--stopwords", "klingon")
        assert (code, records) == (2, [])
        assert "klingon" in errors
        assert "nltk-english-198" in errors


class TestNulls:
    def test_each_model_has_every_metric(self, run: Run, text_file: Path) -> None:
        _, [record], _ = run(text_file, "--nulls", "shuffle,swap,er,configuration", "--draws", "19", "--seed", "4")
        assert list(record["nulls"]) == ["shuffle", "swap", "er", "configuration"]
        for model, metrics in record["nulls"].items():
            assert list(metrics) == list(METRIC_KEYS)
            assert metrics["spectral_radius"].keys() >= {"mean", "sd", "z", "p", "p_holm"}
            assert record["null_draws"][model]["draws"] == 19
        assert record["null_draws"]["er"]["edges_mean"] == record["edges"]

    def test_the_same_seed_gives_the_same_bytes(self, run: Run, text_file: Path) -> None:
        options = ("--nulls", "swap", "--draws", "9", "--seed", "2")
        assert run(text_file, *options) == run(text_file, *options)
        assert run(text_file, *options) != run(text_file, *options[:-1], "3")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--nulls", "shuffle,small-world"], "small-world"),
            (["--draws", "0"], "--draws"),
            (["--seed", "-1"], "--seed"),
            (["--window", "1"], "window must be"),
            (["--window", "11"], "window must be"),
            (["--min-length", "0"], "minimum token length"),
        ],
    )
    def test_options_out_of_range(self, run: Run, text_file: Path, options: list[str], message: str) -> None:
        code, records, errors = run(text_file, *options)
        assert (code, records) == (2, [])
        assert message in errors
        assert errors.count("\n") == 1


TABLE = f'key,Abstract\na,"{FIRST}"\n\nb,"{SECOND}"\n'


class TestTables:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
    def test_every_usual_encoding(self, run: Run, tmp_path: Path, encoding: str) -> None:
        file = write(tmp_path, "texts.csv", TABLE.encode(encoding))
        code, records, errors = run(file, "--text", "Abstract", "--id", "key")
        assert code == 0
        assert [record["id"] for record in records] == ["a", "b"]
        assert [record["metrics"] for record in records] == [
            score_text(text).metrics.values() for text in (FIRST, SECOND)
        ]
        assert ("Windows-1252" in errors) == (encoding == "cp1252")

    def test_a_named_encoding(self, run: Run, tmp_path: Path) -> None:
        file = write(tmp_path, "texts.csv", "Abstract\nреки несут песок\n".encode("koi8-r"))
        _, [record], errors = run(file, "--text", "Abstract", "--encoding", "koi8-r")
        assert (record["nodes"], errors) == (3, "")

    @pytest.mark.parametrize(("name", "delimiter"), [("t.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t"), ("t.tsv", ",")])
    def test_separators_are_found_by_the_header(self, run: Run, tmp_path: Path, name: str, delimiter: str) -> None:
        content = f'key{delimiter}a, b; c{delimiter}Abstract\nx{delimiter}y{delimiter}"{FIRST}"\n'
        if delimiter in ",;":
            content = content.replace("a, b; c", "abc")
        _, [record], _ = run(write(tmp_path, name, content), "--text", "Abstract")
        assert record["tokens"] == len(score_text(FIRST).words)

    def test_rows_without_ids_are_called_by_file_and_row(self, run: Run, tmp_path: Path) -> None:
        file = write(tmp_path, "texts.csv", f'Abstract\n"{FIRST}"\n"two\nlines of text"\n"{SECOND}"\n')
        _, records, _ = run(file, "--text", "Abstract")
        assert [record["id"] for record in records] == [f"{file}:2", f"{file}:3", f"{file}:4"]

    def test_surplus_cells_behind_the_text_are_noticed(self, run: Run, tmp_path: Path) -> None:
        """As in Scopus exports of papers with several funding texts."""
        file = write(tmp_path, "texts.csv", f'key,Abstract,Funding\na,"{FIRST}",one,two\n')
        code, [record], errors = run(file, "--text", "Abstract")
        assert (code, record["tokens"]) == (0, len(score_text(FIRST).words))
        assert "row 2: more cells than columns (rows like it: 1)" in errors

    def test_a_very_long_cell(self, run: Run, tmp_path: Path) -> None:
        file = write(tmp_path, "texts.csv", "Abstract\n" + "river sand " * 20_000 + "\n")
        _, [record], _ = run(file, "--text", "Abstract")
        assert record["tokens"] == 40_000

    @pytest.mark.parametrize(
        ("content", "options", "message"),
        [
            ("key,Abstract\na,b\n", [], "say which column holds the texts with --text; there are: key, Abstract"),
            ("key,Abstract\na,b\n", ["--text", "Title"], "no column is called 'Title'; there are: key, Abstract"),
            ("key,Abstract\na,b\n", ["--text", "key", "--id", "no"], "no column is called 'no'"),
            ("Abstract,Abstract\na,b\n", ["--text", "Abstract"], "more than one column is called 'Abstract'"),
            ("key,Abstract\na\n", ["--text", "Abstract"], "row 2: there is no 'Abstract'"),
            ("key,Abstract\na,one,two\n", ["--text", "Abstract"], "row 2: 3 cells under 2 columns; put quotes"),
            ("Abstract,key\none, two,a\n", ["--text", "Abstract"], "row 2: 3 cells under 2 columns; put quotes"),
            ("key,Abstract\na,b\na,c\n", ["--text", "Abstract", "--id", "key"], "row 3: id 'a' was already given to"),
            ("key,Abstract\n ,b\n", ["--text", "Abstract", "--id", "key"], "row 2: 'key' is empty"),
            ('key,Abstract\na,"b\n', ["--text", "Abstract"], "check the quotes"),
            ("", ["--text", "Abstract"], "the file is empty"),
            ("key,Abstract\n", ["--text", "Abstract"], "there are no texts in it"),
        ],
    )
    def test_bad_tables(self, run: Run, tmp_path: Path, content: str, options: list[str], message: str) -> None:
        code, records, errors = run(write(tmp_path, "texts.csv", content), *options)
        assert (code, records) == (2, [])
        assert message in errors
        assert "texts.csv" in errors
        assert errors.count("\n") == 1


class TestJsonLines:
    def test_objects_with_and_without_ids(self, run: Run, tmp_path: Path) -> None:
        lines = [{"id": 7, "t": FIRST}, {"id": "b", "t": "line\u2028separator\x85inside"}]
        file = write(tmp_path, "t.jsonl", "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n\n")
        _, records, _ = run(file, "--text", "t", "--id", "id")
        assert [record["id"] for record in records] == ["7", "b"]
        _, records, _ = run(file, "--text", "t")
        assert [record["id"] for record in records] == [f"{file}:1", f"{file}:2"]

    @pytest.mark.parametrize(
        ("line", "options", "message"),
        [
            ("[1]", ["--text", "t"], "row 1: no JSON object"),
            ("{", ["--text", "t"], "row 1: no valid JSON"),
            ('{"t": ' + "[" * 100_000 + "]" * 100_000 + "}", ["--text", "t"], "row 1: the JSON is nested too deeply"),
            ('{"t": 3}', ["--text", "t"], "row 1: 't' holds no text"),
            ('{"u": "x"}', ["--text", "t"], "row 1: there is no 't'"),
            ('{"t": null}', ["--text", "t"], "row 1: there is no 't'"),
            ('{"t": "x"}', [], "say which column holds the texts with --text; there are: t"),
            ('{"t": "x", "i": true}', ["--text", "t", "--id", "i"], "row 1: 'i' is empty"),
        ],
    )
    def test_bad_lines(self, run: Run, tmp_path: Path, line: str, options: list[str], message: str) -> None:
        code, _, errors = run(write(tmp_path, "t.jsonl", line), *options)
        assert code == 2
        assert message in errors
        assert errors.count("\n") == 1


class TestStandardInput:
    @pytest.mark.parametrize(
        ("stdin", "options", "name"),
        [
            (FIRST, [], "-"),
            (f'k,t\na,"{FIRST}"\n', ["--text", "t", "--id", "k"], "a"),
            (json.dumps({"t": FIRST, "k": "a"}), ["--text", "t", "--id", "k"], "a"),
        ],
    )
    def test_text_table_and_json_lines(self, run: Run, stdin: str, options: list[str], name: str) -> None:
        code, [record], _ = run("-", *options, stdin=stdin.encode())
        assert (code, record["id"]) == (0, name)
        assert record["metrics"] == score_text(FIRST).metrics.values()

    def test_messages_name_it(self, run: Run) -> None:
        code, _, errors = run("-", "--text", "t", stdin=b"a,b\n")
        assert code == 2
        assert "standard input" in errors


class TestFiles:
    def test_several_files(self, run: Run, text_file: Path, tmp_path: Path) -> None:
        table = write(tmp_path, "texts.csv", TABLE)
        _, records, _ = run(text_file, table, "--text", "Abstract", "--id", "key")
        assert [record["id"] for record in records] == [str(text_file), "a", "b"]

    def test_the_same_file_twice(self, run: Run, text_file: Path) -> None:
        code, records, errors = run(text_file, text_file)
        assert (code, records) == (2, [])
        assert "make ids unique" in errors

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("book.xlsx", b"PK\x03\x04", "save the sheet as CSV"),
            ("scan.txt", b"%PDF-1.7\n\x00\x01\x02", "this is no text file"),
            ("odd.txt", b"caf\xe9 \x81", "this is not UTF-8, UTF-16 or Windows-1252"),
        ],
    )
    def test_files_that_are_no_text(self, run: Run, tmp_path: Path, name: str, content: bytes, message: str) -> None:
        code, _, errors = run(write(tmp_path, name, content))
        assert code == 2
        assert message in errors
        assert name in errors

    def test_missing_file_and_folder(self, run: Run, tmp_path: Path) -> None:
        assert "there is no such file" in run(tmp_path / "absent.txt")[2]
        assert "this is a folder" in run(tmp_path)[2]

    def test_an_unknown_encoding(self, run: Run, text_file: Path) -> None:
        code, _, errors = run(text_file, "--encoding", "klingon-8")
        assert code == 2
        assert "there is no encoding called 'klingon-8'" in errors

    def test_nothing_is_printed_before_everything_was_read(self, run: Run, text_file: Path, tmp_path: Path) -> None:
        code, records, _ = run(text_file, tmp_path / "absent.txt")
        assert (code, records) == (2, [])


class TestTerminal:
    @pytest.fixture
    def shown(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
        def shown(*arguments: str | Path) -> str:
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
            assert main(["score", *map(str, arguments)]) == 0
            return capsys.readouterr().out

        return shown

    def test_a_table_for_people(self, shown: Callable[..., str], text_file: Path, tmp_path: Path) -> None:
        lonely = write(tmp_path, "lonely.txt", "river")
        output = shown(text_file, lonely, "--nulls", "er", "--draws", "9")
        assert "Effective conductance" in output
        assert "9 draws" in output
        assert "global_efficiency is undefined: needs at least two nodes" in output
        assert "NaN" not in output
        assert "None" not in output
        header, *rows = output.splitlines()[:3]
        assert {len(row) for row in rows} == {len(header)}

    def test_json_on_request(self, shown: Callable[..., str], text_file: Path) -> None:
        assert json.loads(shown(text_file, "--json"))["components"] == 1

    def test_control_characters_do_not_reach_the_terminal(self, shown: Callable[..., str], tmp_path: Path) -> None:
        table = write(tmp_path, "t.csv", 'k,t\n"\x1b[31mred",river sand\n')
        assert "\x1b" not in shown(table, "--text", "t", "--id", "k")


PROGRAM = """
import sys
from kappagraph.cli import main
code = main()
heavy = {"django", "numba", "scipy", "pandas", "statsmodels"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


def in_a_process(*arguments: str | Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, "score", *map(str, arguments)]
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}", "PATH": "", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_no_heavy_library_is_imported(text_file: Path) -> None:
    output, errors = in_a_process(text_file, "--nulls", "shuffle,swap,er,configuration", "--draws", "2").communicate()
    assert json.loads(output)["nulls"].keys() == {"shuffle", "swap", "er", "configuration"}
    assert errors.strip() == "[]"


def test_registering_the_command_does_not_import_numpy() -> None:
    program = "import sys, kappagraph.cli as cli; cli._parser(); print('numpy' in sys.modules)"
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
    command = [sys.executable, "-c", program]
    assert (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip() == "False"
    )


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("export.ris", "TY  - JOUR\nAB  - Dams move.\nER  - \n", "a RIS file"),
        ("export.txt", "TY  - JOUR\nAB  - Dams move.\nER  - \n", "a RIS file"),
        ("export.bib", "@article{a, abstract={Dams move.}}", "a BibTeX file"),
        ("export.txt", "% written by hand\n@article{a,\n abstract={Dams move.}}", "a BibTeX file"),
        ("export.nbib", "PMID- 1\nAB  - Dams move.", "a PubMed file in MEDLINE format"),
        ("savedrecs.isi", "FN Clarivate\nVR 1.0\nAB Dams move.", "a Web of Science file"),
        ("savedrecs.txt", "FN Clarivate\nVR 1.0\nAB Dams move.", "a Web of Science file"),
        ("texts.json", '[\n {"text": "Dams move."}\n]', "a JSON array"),
        ("page.html", "<p>Dams move.</p>", "a web page"),
        ("-", "TY  - JOUR\nAB  - Dams move.\nER  - \n", "a RIS file"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--text", "AB"]])
def test_other_formats_are_refused_by_name(
    run: Run, tmp_path: Path, name: str, content: str, kind: str, options: list[str]
) -> None:
    file = name if name == "-" else write(tmp_path, name, content)
    code, records, errors = run(file, *options, stdin=content.encode())
    assert (code, records) == (2, [])
    assert f"this is {kind}, which is not read here; " in errors


@pytest.mark.parametrize("text", ["[Abstract] Dams move.", "Write to dams@mine.org {today}.", "FN and VR move dams."])
def test_prose_that_looks_a_little_like_a_format_is_a_text(run: Run, tmp_path: Path, text: str) -> None:
    code, records, errors = run(write(tmp_path, "abstract.txt", text), "--json")
    assert (code, len(records), errors) == (0, 1, "")


def test_an_option_that_is_no_number_is_bad_input(run: Run, text_file: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        run(text_file, "--window", "three")
    assert stop.value.code == 2


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    file = write(tmp_path, "many.csv", "t\n" + "river sand silt\n" * 3000)
    with in_a_process(file, "--text", "t") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read().strip() == "[]"
        assert process.wait() == 0


@pytest.mark.parametrize("name", ["t050", "t120"])
@pytest.mark.parametrize("convention", ["binary", "weighted", "binary_loops", "weighted_loops"])
def test_certified_values(run: Run, shared: Path, tmp_path: Path, name: str, convention: str) -> None:
    case = json.loads((shared / "cases" / "graphs.json").read_text("utf-8"))["texts"][name]
    adjacency, _, loops = convention.partition("_")
    options = ["--adjacency", adjacency, *(["--self-loops"] if loops else [])]
    _, [record], _ = run(write(tmp_path, "text.txt", case["text"]), *options)
    expected = {
        key.replace("avg_", "average_").replace("inv_", "inverse_"): value
        for key, value in case["metrics"][convention].items()
    }
    assert (record["tokens"], record["nodes"]) == (len(case["tokens"]), case["n"])
    assert record["edges"] == case["m"] + (len(case["self_loops"]) if loops else 0)
    for key, value in record["metrics"].items():
        assert value == pytest.approx(float(expected[key]), rel=1e-10)
