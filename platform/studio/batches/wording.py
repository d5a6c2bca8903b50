"""Figures and states in words."""

from django.utils.translation import gettext as _

from generation.models import Batch
from generation.selectors.progress import Counts


def duration(seconds: float) -> str:
    """A rough length of time: 40 s, 3 min, 2 h 10 min, 3 days."""
    if seconds < 1:
        return _("less than a second")
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        hours, rest = divmod(round(minutes / 10) * 10, 60)
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    return _("%d days") % round(minutes / 60 / 24)


def standing(batch: Batch, counts: Counts) -> tuple[str, str]:
    """How a batch stands in one word, and the class of its badge."""
    if batch.state == Batch.State.LAUNCHED:
        if counts.left:
            return _("running"), "live"
        return (_("done, with failures"), "bad") if counts.failed else (_("done"), "good")
    tone = {Batch.State.PAUSED: "warn"}.get(Batch.State(batch.state), "")
    return str(batch.get_state_display()), tone
