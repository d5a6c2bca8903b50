"""What happened to a study, kept for whoever reads its report."""

from typing import Any

from accounts.models import User
from evaluation.models import Event, Study

__all__ = ["record", "record_if_launched"]


def record(*, study: Study, actor: User | None, kind: str, **details: Any) -> Event:
    """Write down who did what; the caller's transaction decides whether it stands.

    Parameters
    ----------
    actor
        None where the site itself acted.
    kind
        A slug, `subject-verb` in the past: `reviewer-withdrawn`, `agreement-opened`.
    details
        Whatever JSON can hold: figures, names of choices, public ids. No text that a person may want deleted.
    """
    return Event.objects.create(study=study, actor=actor, kind=kind, details=details)


def record_if_launched(*, study: Study, actor: User | None, kind: str, **details: Any) -> None:
    """Like `record`, but a draft is spared: it has no report, and what is on record could not be deleted with it."""
    if study.state != Study.State.DRAFT:
        record(study=study, actor=actor, kind=kind, **details)
