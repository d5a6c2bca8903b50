"""A text that somebody brings to a study, and what can be wrong with it, whatever file or form it came from."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

__all__ = ["LONGEST_FEEDBACK", "LONGEST_ID", "LONGEST_TEXT", "TextRow", "check_row"]

LONGEST_ID, LONGEST_TEXT, LONGEST_FEEDBACK = 200, 100_000, 10_000
KINDS = ("rated", "practice", "attention")


@dataclass(frozen=True)
class TextRow:
    external_id: str
    question: str
    text: str
    kind: str = "rated"
    feedback: str = ""
    # (key or name of a criterion, value or label of the level), for practice texts and attention checks.
    expected: tuple[tuple[str, str], ...] = ()
    place: str = field(default="", compare=False)


def check_row(row: TextRow) -> str | None:
    """What is wrong with a text, whatever file or form it came from; None where nothing is."""
    if not row.external_id:
        return _("no id. Give the text a name of its own.")
    if len(row.external_id) > LONGEST_ID:
        return _("the id has {count:,} characters; {most:,} is the most.").format(
            count=len(row.external_id), most=LONGEST_ID
        )
    if not row.text:
        return _("no text. Fill it in, or delete the row.")
    if len(row.text) > LONGEST_TEXT:
        return _("the text has {count:,} characters; {most:,} is the most.").format(
            count=len(row.text), most=LONGEST_TEXT
        )
    if len(row.feedback) > LONGEST_FEEDBACK:
        return _("the feedback has {count:,} characters; {most:,} is the most.").format(
            count=len(row.feedback), most=LONGEST_FEEDBACK
        )
    return _kind_problem(row)


def _kind_problem(row: TextRow) -> str | None:
    if row.kind not in KINDS:
        return _("the kind “{kind}” is unknown. Write rated, practice or attention, or nothing.").format(kind=row.kind)
    if row.feedback and row.kind != "practice":
        return _("feedback is shown after practice texts only. Empty the cell, or make the kind practice.")
    if row.expected and row.kind == "rated":
        return _("a rated text has no expected level. Empty the cell, or make the kind practice or attention.")
    if row.kind == "attention" and not row.expected:
        return _("an attention check without an expected level cannot be passed. Fill in a column “expected: …”.")
    return None
