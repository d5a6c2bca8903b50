"""How people come to a study and go: what may change while it runs, on record."""

from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Study
from evaluation.protocol import SETTINGS, Options, check_options
from evaluation.services import events

__all__ = ["change_settings"]


@transaction.atomic
def change_settings(*, study: Study, actor: User | None = None, **settings: Unpack[Options]) -> list[str]:
    """Change settings of a study that is open or a draft, and write down which; returns the names of those changed."""
    if frozen := sorted(set(settings) - set(SETTINGS)):
        raise StudyError(_("Frozen at the launch: {names}. Make a new version.").format(names=", ".join(frozen)))
    check_options(settings)
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.CLOSED:
        raise StudyError(_("The study is closed: nobody comes or goes any more."))
    changed = [name for name, value in settings.items() if getattr(study, name) != value]
    for name in changed:
        setattr(study, name, settings[name])  # type: ignore[literal-required]
    if changed:
        study.save(update_fields=changed)
        events.record_if_launched(study=study, actor=actor, kind="settings-changed", changed=sorted(changed))
    return changed
