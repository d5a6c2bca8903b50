"""What the rating page says about another window's answers, and the words of its script."""

import json
from typing import Any

from django.utils.translation import gettext as _

from evaluation.desk import sureness
from evaluation.selectors.guidelines import guidelines
from evaluation.selectors.slot_pages import SlotPage


def named(page: SlotPage, newer: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answers of another window with what the page calls their fields."""
    told = guidelines(study_id=page.study_pk, frozen_sha256=page.frozen_sha256)
    names = {one.field: one.name for one in told.criteria}
    names |= {f"marks-{one.key}": _("Marked words: %(name)s") % {"name": one.name} for one in told.criteria}
    names |= {"confidence": _("How sure are you?"), "comment": _("Comment")}
    sure = {str(value): name for value, name in sureness()}
    found = []
    for one in newer:
        shown = {what: one[what] or _("nothing") for what in ("shown", "here")}
        if one["field"] == "confidence":
            shown = {what: sure.get(value, value) for what, value in shown.items()}
        if one["field"].startswith("marks-"):
            shown = {what: _quoted(page.text, one[what]) for what in shown}
        found.append(one | shown | {"name": names.get(one["field"], one["field"])})
    return found


def _quoted(text: str, spans: str) -> str:
    quotes = [f"“{text[start:end]}”" for start, end in json.loads(spans)]
    return " … ".join(quotes) or _("nothing")


def words_of_the_page() -> dict[str, str]:
    """What the page's script says; words in braces are filled in by it."""
    return {
        "saved": _("Saved"),
        "saving": _("Saving …"),
        "retrying": _("Not saved, retrying"),
        "refused": _("Not saved. {error}"),
        "not_yours": _("This text is not among yours."),
        "choose": _("Choose a level for {name}."),
        "fill": _("Answer {name}."),
        "ended": _("Not saved: your session has ended."),
        "other": _("Not saved: somebody else is signed in."),
        "other_long": _(
            "Somebody else is signed in here now. These answers belong to {name} and wait on this computer: sign in as "
            "{name} to send them, or close this window."
        ),
        "link_is_no_link": _("This is no invitation link. Copy it whole from your invitation: it contains /join/."),
        "link_fails": _("This link lets nobody in. Copy it whole, or ask whoever invited you for a new one."),
        "password_fails": _("Name and password do not fit."),
        "no_network": _("The server cannot be reached. Try again in a moment."),
        "mail_sent": _("If the address is known here, a mail is on its way. Type in the code that it brings."),
        "code_fails": _("This code does not fit, or has run out. Ask for another one."),
        "back_again": _("Signed in. Your answers are being sent."),
        "undone": _("Taken back: {name}."),
        "first_choice": _("Choose again for {name}; it replaces what you chose."),
        "nothing_to_undo": _("There is nothing to take back."),
        "paused": _("Paused. The text is hidden and the clock stands still."),
        "elsewhere": _("Stored meanwhile"),
        "here": _("On this page"),
        "changed_elsewhere": _("Changed in another window: {name}."),
        "mark": _("Mark the words that decided this"),
        "mark_done": _("Done marking"),
        "mark_this": _("Mark or unmark this"),
        "by_words": _("Word by word"),
        "by_sentences": _("By sentence"),
        "earlier": _("Earlier"),
        "later": _("Later"),
        "unmark": _("Remove “{words}”"),
        "marking": _("Marking for {name}: select words with the mouse, or go through the text with the buttons."),
        "marked": _("Marked: {words}"),
        "unmarked": _("No longer marked: {words}"),
    }
