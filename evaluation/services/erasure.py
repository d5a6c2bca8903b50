"""Deleting what identifies a person. Their ratings stay, under the pseudonym that exports show anyway."""

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Now, StrIndex, Substr
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Comment, Conflict, Invitation, Membership, Slot
from evaluation.services.events import record_if_launched
from evaluation.services.withdrawals import withdraw_reviewer

__all__ = ["erase_person"]


@transaction.atomic
def erase_person(*, user: User, actor: User, redacts_comments: bool = True) -> User:
    """Erase name, user name, address, password, connected accounts, links and panel ids of a person, for good.

    Where they still take part as a reviewer they are withdrawn, with their ratings kept, so that nobody waits for them.
    Every session ends, since each is bound to the password's hash, which changes even where there was no password.
    Comments, and the words after a reason for skipping, go as well unless `redacts_comments` is false.

    Raises
    ------
    StudyError
        Researchers of the site and owners of studies first hand over what is theirs.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_staff or user.is_superuser:
        raise StudyError(_("This account has rights on this site. An operator takes them away first."))
    if Membership.objects.filter(user=user, role=Membership.Role.OWNER, removed_at__isnull=True).exists():
        raise StudyError(_("This account owns a study. Hand it over first, on the study's page of people."))
    if user.erased_at is not None:
        return user
    for member in Membership.objects.filter(user=user, role=Membership.Role.REVIEWER, removed_at__isnull=True):
        withdraw_reviewer(member=member, how=Membership.Removal.KEEP, actor=actor)
    _erase_invitations(user)
    EmailAddress.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    user.api_tokens.all().delete()
    Conflict.objects.filter(user=user).delete()
    Membership.objects.filter(user=user).update(participant_id="", takes_reminders=False)
    if redacts_comments:
        _redact(user)
    _erase_account(user)
    for member in Membership.objects.filter(user=user).select_related("study"):
        by = "themselves" if actor.pk == user.pk else "researcher"
        record_if_launched(
            study=member.study,
            actor=actor,
            kind="person-erased",
            person=str(user.public_id),
            by=by,
            comments_redacted=redacts_comments,
        )
    return user


def _erase_account(user: User) -> None:
    user.username = f"erased-{user.public_id.hex[:12]}"
    user.first_name = user.last_name = user.email = ""
    user.set_unusable_password()
    user.is_active = False
    user.last_login = None
    user.erased_at = timezone.now()
    user.save()
    entries = LogEntry.objects.filter(content_type__app_label="accounts", content_type__model="user")
    entries.filter(object_id=str(user.pk)).update(object_repr=user.username, change_message="")


def _erase_invitations(user: User) -> None:
    theirs = Q(user=user) | (Q(email__iexact=user.email) & ~Q(email=""))
    Invitation.objects.filter(theirs).update(name="", email="", revoked_at=Coalesce("revoked_at", Now()))


def _redact(user: User) -> None:
    Comment.objects.filter(slot__reviewer=user).exclude(body="").update(body="", redacted_at=Now())
    with_words = Slot.objects.filter(reviewer=user, skip_reason__contains=": ")
    with_words.update(skip_reason=Substr("skip_reason", 1, StrIndex("skip_reason", Value(": ")) - 1))
