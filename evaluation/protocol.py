"""What a study asks of its reviewers beside texts and criteria: the options of a protocol, and which of them hold."""

import re
from typing import TypedDict, cast
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from evaluation.errors import StudyError
from evaluation.models import Study

__all__ = ["FROZEN_OPTIONS", "OPTIONS", "SETTINGS", "Options", "check_options", "options_of"]

# Part of what reviewers meet, so frozen at the launch and part of its hash.
FROZEN_OPTIONS = (
    "asks_confidence",
    "allows_highlights",
    "asks_authorship",
    "repeats",
    "repeat_distance",
    "attention_every",
    "consent",
    "agreement_from",
)
# How people come and go; these may change while a study runs.
SETTINGS = (
    "allows_self_registration",
    "default_quota",
    "participant_parameter",
    "completion_code",
    "completion_url",
    "reminder_days",
)
OPTIONS = FROZEN_OPTIONS + SETTINGS
LARGEST = 32_767
_LEAST = {"repeats": 0, "repeat_distance": 1, "attention_every": 1, "default_quota": 1, "reminder_days": 1}


class Options(TypedDict, total=False):
    """Fields of `Study` by their names; what is left out keeps its value, or its default."""

    asks_confidence: bool
    allows_highlights: bool
    asks_authorship: bool
    repeats: int
    repeat_distance: int
    attention_every: int
    consent: str
    agreement_from: int
    allows_self_registration: bool
    default_quota: int | None
    participant_parameter: str
    completion_code: str
    completion_url: str
    reminder_days: int | None


def options_of(study: Study) -> Options:
    return cast(Options, {name: getattr(study, name) for name in OPTIONS})


def check_options(options: Options) -> None:
    """Raise StudyError where an option is out of its range, whatever texts the study will hold."""
    names = {
        "repeats": _("Hidden repeats"),
        "repeat_distance": _("The distance to a repeat"),
        "attention_every": _("The stretch with one attention check"),
        "default_quota": _("The most texts for a reviewer"),
        "reminder_days": _("The days until a reminder"),
    }
    for name, least in _LEAST.items():
        value = options.get(name)
        if value is not None and not least <= int(str(value)) <= LARGEST:
            raise StudyError(
                _("{what}: {value} is not between {least} and {most}.").format(
                    what=names[name], value=value, least=least, most=LARGEST
                )
            )
    if not 0 <= options.get("agreement_from", 0) <= 100:
        raise StudyError(_("Agreement is shown from a share of the ratings between 0 and 100 percent."))
    parameter = options.get("participant_parameter")
    if parameter is not None and not re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", parameter):
        raise StudyError(_("The part of a panel's link that names the participant holds letters, digits, - _ . only."))
    if options.get("completion_url") and urlsplit(options["completion_url"]).scheme not in {"http", "https"}:
        raise StudyError(_("The address to go back to begins with http:// or https://."))
