"""`codebook.md`: every column explained, with the scales of this study."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.reports.data import StudyData
from evaluation.reports.export.columns import Column
from evaluation.reports.references import REFERENCES
from evaluation.selectors.left_out import SET_ASIDE

__all__ = ["codebook"]

ABOUT = {
    "ratings.csv": "One row for each revision of each rating, in the order of items, passes, seats and criteria.",
    "items.csv": "One row for each item.",
    "missing.csv": (
        "One row for each seat and criterion without a rating, with the reason. Seats that were never given to anybody "
        "have no rater."
    ),
    "open_answers.csv": (
        "One row for each revision of each number or answer in words, on criteria without levels. None of it enters "
        "agreement.json."
    ),
    "confidence.csv": "One row for each revision of how sure a reviewer was of an item, where the study asks that.",
    "highlights.csv": (
        "One row for each stretch of words that a reviewer marked as what decided a criterion, in each revision of the "
        "marks, where the study allows that. A revision that took all marks back has one row without a stretch."
    ),
    "adjudications.csv": (
        "One row for each revision of what an adjudicator settled on for an item whose raters disagreed. None of it "
        "enters agreement.json or correlations.csv."
    ),
    "authorship.csv": (
        "One row for each answer to the closing question, which of the texts were written by people. authorship.json "
        "holds what all definite guesses of reviewers who were not removed show together: sensitivity is the share of "
        "texts by people that were taken for such, specificity that of generated texts; both with Wilson intervals, d′ "
        "after the log-linear correction, and the p of Fisher’s exact test against chance."
    ),
    "correlations.csv": (
        "One row for each criterion and measure: rank correlations of the items' mean rating with the measure."
    ),
}

READING = """\
## How to read the files

- CSV is UTF-8 with commas, CRLF line ends and a header (RFC 4180). An empty cell means that there is no value.
- Text that begins with `=`, `+`, `-`, `@` or a control character has an apostrophe in front, so that no spreadsheet
  takes it for a formula; remove it to get the original. Numbers are left as they are.
- `protocol.jsonl` is what reviewers were asked, a JSON value a line: instructions, consent and options; criteria with
  levels and examples; texts by their hash, in their order; expected levels. Its SHA-256 is the study's `frozen_sha256`
  in `manifest.json`, where `draws` says how the texts were drawn.
- Times are UTC. Floats are written so that reading them gives the same value back.
- Reviewers appear under pseudonyms: HMAC-SHA256 of an internal identifier under a secret of this export. Two exports
  with different secrets cannot be joined by them. Comments and reasons are the reviewers' own words: read them before
  you pass the files on.
- The same data, secret, seed and code version give the same bytes; `manifest.json` holds the SHA-256 of each file.
"""

FIGURES = """\
## agreement.json

The shape is that of `kappagraph agreement --json`: for each criterion the declared levels, `overall` coefficients for
all raters together, and `pairs` with the contingency table (first rater in rows, levels from low to high), coefficients
and marginal tests. An estimate has `value`, `ci`, `ci_method`, `se`, `n` and `reason`; a test `statistic`, `df`, `p`,
`exact_p`, `min_p` and `reason`. What is undefined is null, and `reason` says why. Weighted coefficients weigh by the
declared order of the levels. `left_out` counts the planned seats of the criterion: `counted`, `missing` by reason, and
`set_aside` for ratings that were given but are not counted:
"""


def codebook(*, data: StudyData, tables: Mapping[str, list[Column]]) -> str:
    parts = [f"# {data.study.title}\n\nCodebook of a Kappagraph study export.\n", _scales(data), READING]
    for name, columns in tables.items():
        parts.append(f"## {name}\n\n{ABOUT[name]}\n\n{_table(columns)}\n")
    aside = "".join(f"- `{name}`: {meaning}\n" for name, meaning in SET_ASIDE.items())
    references = "".join(f"- {reference}\n" for reference in REFERENCES)
    parts += [f"{FIGURES}\n{aside}", *_seen_early(data), f"## References\n\n{references}"]
    return "\n".join(parts)


def _seen_early(data: StudyData) -> list[str]:
    said = "".join(f"- {sentence}\n" for sentence in data.opened.sentences)
    return [f"## Who saw agreement before all ratings were in\n\n{said}"] if said else []


def _scales(data: StudyData) -> str:
    parts = ["## Criteria\n"]
    for scale in data.scales:
        steps = " < ".join(f"`{value}`" for value in scale.levels)
        definition = f" {scale.definition.strip()}" if scale.definition.strip() else ""
        parts.append(f"- **{scale.name}** (`{scale.key}`): {steps}.{definition}")
    return "\n".join(parts) + "\n"


def _table(columns: list[Column]) -> str:
    rows = [f"| `{column.name}` | {column.form} | {column.meaning} |" for column in columns]
    return "\n".join(["| column | form | meaning |", "|---|---|---|", *rows])
