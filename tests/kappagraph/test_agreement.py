"""`kappagraph agreement`: the JSON that scripts rely on, and one clear line where input is bad."""

import json
import subprocess
import sys

import pytest

from kappagraph import cli

PAPER = (
    "item,first,second\n1,low,low\n2,low,low\n3,low,low\n4,medium,low\n5,medium,medium\n6,medium,medium\n"
    "7,medium,medium\n8,medium,medium\n9,medium,high\n10,high,medium\n"
)
COEF_PAIR = {
    "exact_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "cohen_kappa_max",
    "brennan_prediger", "brennan_prediger_linear", "brennan_prediger_quadratic", "pabak", "prevalence_index",
    "bias_index", "scott_pi", "krippendorff_alpha_nominal", "krippendorff_alpha_ordinal",
    "krippendorff_alpha_interval", "gwet_ac1", "gwet_ac2_linear", "gwet_ac2_quadratic", "gwet_ac2_ordinal",
    "icc_a1", "icc_c1",
}  # fmt: skip
COEF_OVERALL = {
    "exact_agreement", "brennan_prediger", "brennan_prediger_linear", "brennan_prediger_quadratic", "fleiss_kappa",
    "fleiss_kappa_available", "krippendorff_alpha_nominal", "krippendorff_alpha_ordinal",
    "krippendorff_alpha_interval", "gwet_ac1", "gwet_ac2_linear", "gwet_ac2_quadratic", "gwet_ac2_ordinal",
    "conger_kappa", "icc_a1", "icc_c1", "mean_pairwise_cohen_kappa", "mean_pairwise_cohen_kappa_linear",
    "mean_pairwise_cohen_kappa_quadratic",
}  # fmt: skip
TESTS = {"stuart_maxwell", "bhapkar", "bowker", "mcnemar", "wilcoxon_shift", "chi2_independence"}
EST = {"value", "ci", "ci_method", "se", "n", "reason"}
RES = {"statistic", "df", "p", "exact_p", "min_p", "reason"}


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(PAPER)
    return path


def answer(capsys, *arguments):
    assert cli.main(["agreement", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *arguments):
    assert cli.main(["agreement", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_the_shape_of_the_answer(capsys, paper):
    document = answer(capsys, paper, "--levels", "low,medium,high")
    assert {"criteria", "settings", "version"} <= set(document)
    (criterion,) = document["criteria"]
    assert {"criterion", "levels", "items", "raters", "ratings", "missing", "overall", "pairs", "warnings"} <= set(
        criterion
    )
    assert criterion["criterion"] is None
    assert criterion["levels"] == ["low", "medium", "high"]
    assert [criterion[key] for key in ("items", "raters", "ratings", "missing")] == [10, 2, 20, 0]
    assert set(criterion["overall"]) >= COEF_OVERALL
    (pair,) = criterion["pairs"]
    assert pair["raters"] == ["first", "second"]
    assert pair["n"] == 10
    assert pair["table"] == [[3, 0, 0], [1, 4, 1], [0, 1, 0]]
    assert set(pair["coefficients"]) >= COEF_PAIR
    assert set(pair["marginal_tests"]) >= TESTS
    for estimate in (*criterion["overall"].values(), *pair["coefficients"].values()):
        assert set(estimate) >= EST
    for test in (*pair["marginal_tests"].values(), *criterion["marginal_tests"].values()):
        assert set(test) >= RES


def test_the_figures_of_the_worked_example(capsys, paper):
    pair = answer(capsys, paper, "--levels", "low,medium,high", "--ci", "wald")["criteria"][0]["pairs"][0]
    linear = pair["coefficients"]["cohen_kappa_linear"]
    assert linear["value"] == pytest.approx(17 / 32)
    assert linear["ci"] == pytest.approx([0.1524249, 0.9100751], abs=1e-7)
    assert linear["ci_method"] == "wald"
    assert linear["landis_koch"]["band"] == "moderate"
    assert sum(linear["landis_koch"]["probabilities"].values()) == pytest.approx(1.0)
    assert pair["coefficients"]["pabak"]["value"] is None
    assert pair["coefficients"]["pabak"]["reason"]


@pytest.mark.parametrize("method", ["auto", "wald", "jackknife-t", "fisher-z", "percentile", "bca"])
def test_interval_methods(capsys, paper, method):
    document = answer(capsys, paper, "--levels", "low,medium,high", "--ci", method, "--bootstrap", 500)
    kappa = document["criteria"][0]["pairs"][0]["coefficients"]["cohen_kappa"]
    assert kappa["ci_method"] == ("fisher-z" if method == "auto" else method)
    assert kappa["ci"][0] < kappa["value"] < kappa["ci"][1]
    assert document["settings"]["ci"] == method


def test_same_input_same_bytes(capsys, paper):
    arguments = ["agreement", str(paper), "--levels", "low,medium,high", "--json", "--seed", "3"]
    printed = []
    for _ in range(2):
        assert cli.main(arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_clusters(capsys, tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"i{i},{r},{(i * (1 + (r == 'b') * (i % 4 == 0))) % 3},q{i // 2}" for i in range(24) for r in "ab"]
    path.write_text("item,rater,value,query\n" + "\n".join(rows) + "\n")
    plain = answer(capsys, path)["criteria"][0]["overall"]["gwet_ac1"]
    nested = answer(capsys, path, "--cluster", "query")["criteria"][0]["overall"]["gwet_ac1"]
    assert nested["value"] == plain["value"]
    assert nested["ci"] != plain["ci"]


def test_several_criteria_from_standard_input(tmp_path):
    text = "item,rater,criterion,value\n" + "".join(
        f"{i},{r},{c},{(i + len(c)) % 3}\n" for i in range(6) for r in "ab" for c in ("novelty", "clarity")
    )
    printed = subprocess.run(
        [sys.executable, "-m", "kappagraph", "agreement", "-"], input=text, capture_output=True, text=True, check=True
    )
    document = json.loads(printed.stdout)
    assert [found["criterion"] for found in document["criteria"]] == ["novelty", "clarity"]
    assert "0,1,2" in printed.stderr


def test_a_terminal_gets_a_table(capsys, monkeypatch, paper):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert cli.main(["agreement", str(paper), "--levels", "low,medium,high"]) == 0
    printed = capsys.readouterr().out
    assert "low < medium < high" in printed
    assert "cohen_kappa_linear" in printed
    assert "undefined" in printed
    assert max(len(line) for line in printed.splitlines() if line.startswith("  ") and "undefined" not in line) < 100


def test_a_small_p_is_never_printed_as_nought(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    path = tmp_path / "shifted.csv"
    path.write_text("item,first,second\n" + "".join(f"{i},{i % 2},{i % 2 + 1}\n" for i in range(40)))
    assert cli.main(["agreement", str(path)]) == 0
    table = capsys.readouterr().out
    assert ", p < 0.0001, exact p < 0.0001" in table
    assert "p 0.0000" not in table


def test_a_single_rater_is_said_beside_the_nulls(capsys, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("item,criterion,only\n1,clarity,1\n2,clarity,2\n3,clarity,1\n")
    assert cli.main(["agreement", str(path), "--levels", "1,2", "--json"]) == 0
    captured = capsys.readouterr()
    assert "the only rater of criterion 'clarity' is 'only', and agreement needs two" in captured.err
    assert captured.err.count("\n") == 1
    assert json.loads(captured.out)["criteria"][0]["overall"]["fleiss_kappa"]["value"] is None


@pytest.mark.parametrize("items", range(2, 12))
def test_an_interval_holds_its_estimate_at_the_bound(capsys, tmp_path, items):
    path = tmp_path / "equal.csv"
    path.write_text("item,first,second\n" + "".join(f"{i},a,a\n" for i in range(items)))
    (criterion,) = answer(capsys, path, "--levels", "a,b,c")["criteria"]
    for found in (*criterion["overall"].values(), *criterion["pairs"][0]["coefficients"].values()):
        if found["ci_method"] == "wilson":
            low, high = found["ci"]
            assert low <= found["value"] <= high


def test_django_stays_out(paper):
    code = (
        "import sys; from kappagraph.cli import main\n"
        f"main(['agreement', {str(paper)!r}, '--levels', 'low,medium,high'])\n"
        "heavy = ('django', 'scipy.stats', 'pandas', 'numba', 'statsmodels')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert printed.stderr.strip() == "[]"


def test_text_levels_without_order_are_refused(capsys, paper):
    assert "--levels" in refusal(capsys, paper)


def test_a_file_that_is_not_there(capsys, tmp_path):
    assert "No such file" in refusal(capsys, tmp_path / "none.csv")
    assert "directory" in refusal(capsys, tmp_path).lower()


def test_conflicting_ratings(capsys, tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("item,rater,value\n1,a,1\n1,b,2\n1,a,2\n2,a,1\n2,b,1\n")
    assert "rows 2 and 4" in refusal(capsys, path)
    table = answer(capsys, path, "--duplicates", "last")["criteria"][0]["pairs"][0]["table"]
    assert table == [[1, 0], [0, 1]]


def test_folding(capsys, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text(PAPER.replace("5,medium", "5,Medium "))
    assert "did you mean 'medium'" in refusal(capsys, path, "--levels", "low,medium,high")
    found = answer(capsys, path, "--levels", "low,medium,high", "--fold")["criteria"][0]
    assert found["pairs"][0]["table"] == [[3, 0, 0], [1, 4, 1], [0, 1, 0]]


@pytest.mark.parametrize(
    "arguments", [("--confidence", "1.5"), ("--bootstrap", "-1"), ("--ci", "exact"), ("--seed", "x")]
)
def test_impossible_options(capsys, paper, arguments):
    with pytest.raises(SystemExit) as caught:
        cli.main(["agreement", str(paper), *arguments])
    assert caught.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_a_level_may_hold_a_comma(capsys, tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text('item,a,b\n1,"no, never","yes"\n2,yes,yes\n3,yes,"no, never"\n')
    found = answer(capsys, path, "--levels", '"no, never",yes')["criteria"][0]
    assert found["levels"] == ["no, never", "yes"]
