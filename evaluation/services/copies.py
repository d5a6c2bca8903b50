"""A study's protocol and texts in another draft: its next version, or a fresh study like it."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Item, Study
from evaluation.protocol import options_of
from evaluation.selectors.protocol import expected_levels, stored_criteria
from evaluation.services import events
from evaluation.services.criteria import put_expectations
from evaluation.services.drafts import create_study

__all__ = ["duplicate_study", "make_new_version"]

# As a text was given; what the launch adds to it is made anew.
GIVEN = (
    "position",
    "kind",
    "external_id",
    "question",
    "stratum",
    "feedback",
    "text_id",
    "abstract_id",
    "document_id",
)


@transaction.atomic
def make_new_version(*, study: Study, created_by: User | None = None) -> Study:
    """A draft with the protocol and texts of a launched study, which it supersedes; ratings stay with the old one."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.DRAFT:
        raise StudyError(_("A draft can still be changed itself."))
    if Study.objects.filter(supersedes=study).exists():
        raise StudyError(_("This study has a newer version already."))
    version = _draft_like(study, title=study.title, order_seed=study.order_seed, created_by=created_by)
    version.supersedes = study
    version.save(update_fields=["supersedes"])
    _copy_items(study, version)
    events.record(study=study, actor=created_by, kind="version-made", version=str(version.public_id))
    return version


@transaction.atomic
def duplicate_study(*, study: Study, created_by: User | None = None, with_texts: bool = True) -> Study:
    """A fresh draft with the same protocol, and the texts if wanted; it draws an order of its own."""
    title = _("{title} (copy)").format(title=study.title[:190])
    copy = _draft_like(study, title=title, order_seed=None, created_by=created_by)
    if with_texts:
        _copy_items(study, copy)
    told = {"copy": str(copy.public_id), "with_texts": with_texts}
    events.record_if_launched(study=study, actor=created_by, kind="study-duplicated", **told)
    return copy


def _draft_like(study: Study, *, title: str, order_seed: int | None, created_by: User | None) -> Study:
    return create_study(
        title=title,
        created_by=created_by,
        instructions=study.instructions,
        raters_per_item=study.raters_per_item,
        lease_minutes=study.lease_minutes,
        criteria=stored_criteria(study=study),
        order_seed=order_seed,
        **options_of(study),
    )


def _copy_items(study: Study, copy: Study) -> None:
    items = study.items.order_by("position").iterator()
    Item.objects.bulk_create(
        [Item(study=copy, **{name: getattr(item, name) for name in GIVEN}) for item in items], batch_size=1000
    )
    put_expectations(study=copy, expected=expected_levels(study=study))
    copy.draws = study.draws
    copy.save(update_fields=["draws"])
