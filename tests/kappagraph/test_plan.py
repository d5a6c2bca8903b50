"""`kappagraph plan`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kappagraph.cli import main
from kappagraph.plan_table import render

ROOT = Path(__file__).parents[2]


def plan(capsys, *arguments):
    assert main(["plan", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_list_is_combined(capsys):
    found = plan(capsys, "--items", "10,40", "--raters", "2,3", "--levels", "3,5", "--kappa", "0.5,0.8")
    described = [(entry["raters"], entry["levels"], entry["kappa"]) for entry in found["plans"]]
    assert described == [(r, k, kappa) for r in (2, 3) for k in (3, 5) for kappa in (0.5, 0.8)]
    for entry in found["plans"]:
        few, more = entry["sizes"]
        assert (few["items"], more["items"]) == (10, 40)
        for name, expected in few["coefficients"].items():
            assert expected["width"] > more["coefficients"][name]["width"]
            assert expected["interval"][0] < expected["expected"] < expected["interval"][1]
    assert "cohen_kappa_linear" in found["plans"][0]["sizes"][0]["coefficients"]
    assert "mean_pairwise_cohen_kappa_linear" in found["plans"][-1]["sizes"][0]["coefficients"]


def test_a_wanted_width_is_turned_into_items(capsys):
    found = plan(capsys, "--items", "20", "--width", "0.4")["plans"][0]["items_for_width"]
    assert found["width"] == 0.4
    assert 30 < found["cohen_kappa_linear"] < 80
    assert 30 < found["krippendorff_alpha_ordinal"] < 80


def test_a_seed_makes_it_repeatable(capsys):
    arguments = ("--items", "15", "--seed", "7", "--margins", "skewed", "--disagreement", "anywhere")
    assert plan(capsys, *arguments) == plan(capsys, *arguments)
    assert plan(capsys, *arguments)["plans"] != plan(capsys, "--items", "15", "--seed", "8")["plans"]


def test_the_table_says_what_the_json_says(capsys):
    document = plan(capsys, "--items", "10,1000", "--width", "0.3")
    text = render(document)
    assert "2 raters, 3 levels, anticipated linear kappa 0.50" in text
    assert "1,000" in text
    assert f"takes about {document['plans'][0]['items_for_width']['cohen_kappa_linear']} items" in text
    assert "Below about 30 items" in text
    assert "Below about 30 items" not in render(plan(capsys, "--items", "100"))
    assert "of studies" not in text
    assert "none in" in render(plan(capsys, "--items", "5", "--kappa", "0.9", "--margins", "skewed"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kappa", "1"], "kappa must lie"),
        (["--items", "1"], "two items"),
        (["--raters", "1"], "raters"),
        (["--width", "3"], "width"),
        (["--items", ",".join(map(str, range(2, 600)))], "at most"),
    ],
)
def test_impossible_plans_are_refused_in_one_line(arguments, words, capsys):
    assert main(["plan", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--items", "ten"], ["--items", ","], ["--seed", "-1"]])
def test_what_is_no_number_is_refused(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["plan", *arguments])
    assert stopped.value.code == 2
    assert "error" in capsys.readouterr().err


def test_no_framework_is_loaded():
    code = (
        "import sys; from kappagraph.cli import main; main(['plan', '--items', '10', '--json']); "
        "print([m for m in ('django', 'scipy.stats', 'pandas', 'numba') if m in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"},
    )
    assert ran.stderr.strip() == "[]"
