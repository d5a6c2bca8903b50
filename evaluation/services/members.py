"""Who runs, reads and rates a study: roles, quotas, ownership. Withdrawing a reviewer is `withdrawals`.

Nobody both rates in a study and runs or reads it: whoever has seen where texts come from is not blind any more.
"""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Membership, Slot, Study
from evaluation.services.events import record_if_launched

__all__ = ["change_quota", "change_role", "free_participant_id", "hand_over", "readmit_member", "remove_member"]

Role = Membership.Role


@transaction.atomic
def change_role(*, member: Membership, role: str, actor: User) -> Membership:
    """Between manager and viewer; ownership is handed over (`hand_over`), and reviewers stay reviewers."""
    member = _lock(member)
    if role == member.role:
        return member
    if member.role == Role.OWNER or role == Role.OWNER:
        raise StudyError(_("A study has one owner. Hand it over to somebody else instead."))
    if role == Role.REVIEWER:
        raise StudyError(
            _("%(name)s could see where texts come from, and so cannot rate them any more.") % {"name": member.user}
        )
    if member.role == Role.REVIEWER:
        if Slot.objects.filter(item__study_id=member.study_id, reviewer=member.user).exists():
            raise StudyError(
                _("%(name)s has been given texts to rate. Who runs or reads a study learns where they come from.")
                % {"name": member.user}
            )
        member.quota = None
    before, member.role = member.role, role
    member.save(update_fields=["role", "quota"])
    _note(member, actor, "role-changed", before=before, role=role)
    return member


@transaction.atomic
def change_quota(*, member: Membership, quota: int | None, actor: User) -> Membership:
    """The most texts a reviewer is given; what was given already stays."""
    member = _lock(member)
    if member.role != Role.REVIEWER:
        raise StudyError(_("Only reviewers are given texts."))
    before, member.quota = member.quota, quota
    if quota is None or (before is not None and quota > before):
        member.finished_at = None  # there may be more to do
    member.save(update_fields=["quota", "finished_at"])
    _note(member, actor, "quota-changed", before=before, quota=quota)
    return member


@transaction.atomic
def free_participant_id(*, member: Membership, actor: User) -> None:
    """Let somebody else come under the panel's id of a member, who stays: it was not theirs, say."""
    member = Membership.objects.select_for_update(of=("self",)).select_related("study", "user").get(pk=member.pk)
    if not member.participant_id:
        raise StudyError(_("%(name)s came under no participant id.") % {"name": member.user})
    Membership.objects.filter(pk=member.pk).update(participant_id="")
    _note(member, actor, "participant-id-freed")


@transaction.atomic
def hand_over(*, member: Membership, actor: User) -> Membership:
    """Make a manager or viewer the study's owner; who owned it becomes a manager. Never without an owner."""
    study = Study.objects.select_for_update(no_key=True).get(pk=member.study_id)
    member = _lock(member)
    if member.role == Role.REVIEWER:
        raise StudyError(_("%(name)s rates in this study, and so cannot own it.") % {"name": member.user})
    if not member.user.is_active:
        raise StudyError(_("This account is switched off."))
    if member.role == Role.OWNER:
        return member
    Membership.objects.filter(study=study, role=Role.OWNER).update(role=Role.MANAGER)
    member.role = Role.OWNER
    member.save(update_fields=["role"])
    _note(member, actor, "study-handed-over")
    return member


@transaction.atomic
def remove_member(*, member: Membership, actor: User) -> None:
    """Let a manager or viewer into the study no more."""
    member = _lock(member)
    if member.role == Role.OWNER:
        raise StudyError(_("A study needs its owner. Hand it over to somebody else first."))
    if member.role == Role.REVIEWER:
        raise StudyError(_("A reviewer is withdrawn, since it is to be settled what becomes of the ratings."))
    Membership.objects.filter(pk=member.pk).update(removed_at=Now(), removal=Membership.Removal.KEEP)
    _note(member, actor, "member-removed", role=member.role)


@transaction.atomic
def readmit_member(*, member: Membership, actor: User) -> None:
    """Let a manager or viewer in again."""
    member = Membership.objects.select_for_update(of=("self",)).select_related("study", "user").get(pk=member.pk)
    if member.role == Role.REVIEWER or member.removed_at is None:
        raise StudyError(_("Only managers and viewers who were removed can be let in again."))
    Membership.objects.filter(pk=member.pk).update(removed_at=None, removal="")
    _note(member, actor, "member-readmitted", role=member.role)


def _lock(member: Membership) -> Membership:
    locked = Membership.objects.select_for_update(of=("self",)).select_related("study", "user").get(pk=member.pk)
    if locked.removed_at is not None:
        raise StudyError(_("%(name)s does not take part any more.") % {"name": locked.user})
    return locked


def _note(member: Membership, actor: User, kind: str, **details: object) -> None:
    record_if_launched(study=member.study, actor=actor, kind=kind, person=str(member.user.public_id), **details)
