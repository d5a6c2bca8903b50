"""The settings of a running study as researchers type them: how people come and go."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.models import Study
from evaluation.protocol import LARGEST, SETTINGS

__all__ = ["Group", "SettingsForm"]


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
