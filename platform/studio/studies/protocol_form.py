"""The protocol of a draft as researchers type it: what is asked, and how people come and go."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from evaluation.protocol import LARGEST
from studio.studies.settings_form import Group, SettingsForm

__all__ = ["ProtocolForm"]


class ProtocolForm(SettingsForm):
    title = forms.CharField(
        max_length=200, label=_("Title"), help_text=_("Reviewers see it, so let it give nothing away.")
    )
    instructions = forms.CharField(
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 8}),
        label=_("Instructions for reviewers"),
        help_text=_("Markdown: # heading, **bold**, *italic*, - list. Shown before they begin."),
    )
    raters_per_item = forms.IntegerField(
        min_value=1, max_value=100, initial=2, label=_("Raters a text"), help_text=_("Seats for each text.")
    )
    lease_minutes = forms.IntegerField(
        min_value=1,
        max_value=100_000,
        initial=60,
        label=_("Minutes a seat is kept"),
        help_text=_("Then an unanswered one goes to somebody else."),
    )
    order_seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        label=_("Seed of the order"),
        help_text=_("Left empty: drawn."),
    )
    asks_confidence = forms.BooleanField(
        required=False, label=_("Confidence"), help_text=_("How sure are you of this text? From 1, guessing, to 5.")
    )
    allows_highlights = forms.BooleanField(
        required=False,
        label=_("Highlights"),
        help_text=_("Reviewers may mark the words that decided a criterion."),
    )
    asks_authorship = forms.BooleanField(
        required=False,
        label=_("A closing question"),
        help_text=_("Which of the texts were written by people? Asked once, at the very end."),
    )
    repeats = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        initial=0,
        label=_("Hidden repeats"),
        help_text=_("Texts that each reviewer gets a second time, unannounced."),
    )
    repeat_distance = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        initial=10,
        label=_("… not before"),
        help_text=_("So many other texts lie between a text and its repeat."),
    )
    attention_every = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        initial=10,
        label=_("One attention check in"),
        help_text=_("So many rated texts, at a place that differs by reviewer. You add the checks with the texts."),
    )
    consent = forms.CharField(
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        label=_("Consent text"),
        help_text=_("Markdown. Who joins has to agree to it first; left empty, nothing is asked."),
    )
    agreement_from = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=100,
        initial=100,
        label=_("Agreement shown from"),
        help_text=_("Percent of the ratings. Until then it stays hidden, so that nobody steers by it."),
    )

    def clean_title(self) -> str:
        """One line: it becomes the subject of invitations."""
        return " ".join(self.cleaned_data["title"].split())

    @property
    def groups(self) -> list[Group]:
        repeats = self.says("repeats")
        checks = {
            "asks_confidence": gettext("confidence"),
            "allows_highlights": gettext("highlights"),
            "asks_authorship": gettext("a closing question"),
        }
        return [
            self.group(
                gettext("Also asked"),
                ", ".join(words for name, words in checks.items() if self.says(name)),
                checks=" ".join(checks),
            ),
            self.group(
                gettext("Repeats and attention checks"),
                ngettext("{count} repeat", "{count} repeats", _count(repeats)).format(count=repeats) if repeats else "",
                small="repeats repeat_distance attention_every",
            ),
            self._joining(),
            self.group(gettext("Consent"), gettext("asked for") if self.says("consent") else "", texts="consent"),
            self._panel(),
            self.group(
                gettext("Running the study"),
                small="lease_minutes reminder_days agreement_from order_seed",
            ),
        ]


def _count(value: Any) -> int:
    """For the plural of what was typed, a number or not."""
    return int(value) if str(value).isdecimal() else 2
