"""The protocol of a draft and the settings of a running study, as researchers type them."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from evaluation.models import Study
from evaluation.protocol import LARGEST, SETTINGS

__all__ = ["ProtocolForm", "SettingsForm"]


@dataclass(frozen=True)
class Group:
    """Fields that belong together, and what they say now in a few words."""

    title: str
    now: str
    checks: list[forms.BoundField]
    texts: list[forms.BoundField]
    small: list[forms.BoundField]

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in [*self.checks, *self.texts, *self.small])


class _Optional(forms.Form):
    """Fields that may be left empty take the default of the study's column."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in SETTINGS + OPTIONAL:
            if name in cleaned and cleaned[name] in (None, ""):
                cleaned[name] = Study._meta.get_field(name).get_default()
        return cleaned

    def group(self, title: str, now: str = "", *, checks: str = "", texts: str = "", small: str = "") -> Group:
        """The named fields, as words with spaces between."""
        return Group(title, now, *([self[name] for name in names.split()] for names in (checks, texts, small)))

    def says(self, name: str) -> Any:
        """What a field holds now; empty strings and unticked boxes are None."""
        value = self[name].value()
        return None if value in (None, "", False, "0", 0) else value


OPTIONAL = ("repeats", "repeat_distance", "attention_every", "agreement_from")


class SettingsForm(_Optional):
    """How people come and go: may change while a study runs."""

    allows_self_registration = forms.BooleanField(
        required=False,
        label=_("Anyone with the study’s address may join"),
        help_text=_("As a reviewer, without an invitation."),
    )
    default_quota = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        label=_("At most"),
        help_text=_("Texts for each who joins without a personal link; empty: all."),
    )
    participant_parameter = forms.CharField(
        required=False,
        max_length=40,
        initial="PROLIFIC_PID",
        validators=[RegexValidator(r"^[A-Za-z0-9_.-]+$", _("Letters, digits, - _ . only."))],
        label=_("Participant parameter"),
        help_text=_("The part of a panel’s link that names the participant: PROLIFIC_PID, workerId, …"),
    )
    completion_code = forms.CharField(
        required=False,
        max_length=100,
        label=_("Completion code"),
        help_text=_("Shown to who has finished."),
    )
    completion_url = forms.URLField(
        required=False,
        max_length=200,
        assume_scheme="https",
        label=_("Address to go back to"),
        help_text=_("Who has finished is sent back there: the panel’s completion link."),
    )
    reminder_days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=365,
        label=_("Remind after"),
        help_text=_("Days without an answer; empty: never. By mail, to those with an address."),
    )

    @property
    def groups(self) -> list[Group]:
        return [self._joining(), self._panel(), self._reminders()]

    def _joining(self) -> Group:
        now = gettext("open to anyone") if self.says("allows_self_registration") else ""
        return self.group(gettext("Joining"), now, checks="allows_self_registration", small="default_quota")

    def _panel(self) -> Group:
        now = gettext("with a completion code") if self.says("completion_code") else ""
        small = "participant_parameter completion_code"
        return self.group(gettext("Panels such as Prolific"), now, small=small, texts="completion_url")

    def _reminders(self) -> Group:
        return self.group(gettext("Reminders"), small="reminder_days")


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
