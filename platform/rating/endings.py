"""Where a reviewer goes when there is no text for them."""

from django.urls import reverse

from accounts.models import User
from evaluation.services.finishing import note_end


def way_out(*, study_id: int, reviewer: User) -> str:
    """The closing question, where the study has one and the reviewer has finished; else the last page."""
    member = note_end(study_id=study_id, reviewer=reviewer)
    asks = member.study.asks_authorship and member.finished_at is not None
    return reverse("study_closing" if asks else "study_done", args=[member.study.public_id])
