"""What every way into a study comes to: a membership, checked and noted; and whom a link alone may let in."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from evaluation.errors import StudyError
from evaluation.models import Invitation, Membership, Study
from evaluation.selectors.consent import consent_sha256
from evaluation.services.conflicts import find_conflicts
from evaluation.services.events import record_if_launched
from evaluation.services.links import LinkUnusable

__all__ = ["DAYS", "enter", "enters_by_link", "give_consent", "give_personal_link", "name_panelist"]

DAYS = 60
REVIEWER = Membership.Role.REVIEWER
RUNNING = (Membership.Role.OWNER, Membership.Role.MANAGER)


@transaction.atomic
def give_consent(*, member: Membership) -> None:
    """Store that, and to which text, somebody agreed; the study's text at this moment is meant."""
    locked = Membership.objects.select_for_update(of=("self",)).select_related("study").get(pk=member.pk)
    if not locked.study.consent:
        raise StudyError(_("This study asks for no consent."))
    locked.consented_at = timezone.now()
    locked.consent_sha256 = consent_sha256(locked.study)
    locked.save(update_fields=["consented_at", "consent_sha256"])


def enter(
    *,
    study: Study,
    user: User,
    role: str = REVIEWER,
    quota: int | None = None,
    participant_id: str = "",
    consents: bool = False,
    way: str = "",
) -> bool:
    """Make the membership, or check the one there is; whether it is new."""
    if role == REVIEWER and (user.is_staff or user.is_superuser):
        raise LinkUnusable(
            _("Researchers of this site can see where texts come from, so they do not rate. Use another account.")
        )
    member, is_new = Membership.objects.get_or_create(
        study=study, user=user, defaults={"role": role, "quota": quota if role == REVIEWER else None}
    )
    if member.removed_at is not None:
        raise LinkUnusable(_("You no longer take part in this study. Ask whoever invited you."))
    _check_role(member, role)
    if participant_id:
        _bind(member, participant_id)
    if consents and study.consent:
        give_consent(member=member)
    if is_new:
        _end_sessions(user, study)
        record_if_launched(study=study, actor=user, kind="member-joined", role=role, way=way)
        if role == REVIEWER:
            find_conflicts(study=study, user=user)
    return is_new


def _end_sessions(user: User, study: Study) -> None:
    """Who came into one study by a link that others know is asked again before the account reaches further.

    Sessions are bound to the password's hash, which changes here; the caller keeps the one of this request.
    """
    if not user.has_usable_password() and Membership.objects.filter(user=user).exclude(study=study).exists():
        user.set_unusable_password()
        user.save(update_fields=["password"])


def _check_role(member: Membership, role: str) -> None:
    if member.role == role:
        return
    if role == REVIEWER:
        raise LinkUnusable(
            _("You run or read this study, and so know where its texts come from: you cannot rate in it as well.")
        )
    if member.role == REVIEWER:
        raise LinkUnusable(_("You rate in this study. Who runs or reads it learns where texts come from: not both."))
    if member.role == Membership.Role.VIEWER:
        member.role = role
        member.save(update_fields=["role"])


def _bind(member: Membership, participant_id: str) -> None:
    """Note how a panel calls the person; a name stays with the first who came under it."""
    if member.participant_id == participant_id:
        return
    if member.participant_id:
        raise LinkUnusable(_("You take part under another participant id. Sign out first, then open the link again."))
    member.participant_id = participant_id
    try:
        with transaction.atomic():
            member.save(update_fields=["participant_id"])
    except IntegrityError:
        raise LinkUnusable(
            _("Somebody takes part under this participant id already. Go on in the browser in which you began.")
        ) from None


def enters_by_link(study: Study, user: User) -> bool:
    """Not into accounts with a password or with rights, nor further than those who see the link may see.

    Whoever runs a study without being a researcher of the site knows its links. Such a link opens no account that
    takes part in a study which that person does not run.
    """
    if user.is_staff or user.is_superuser or user.has_usable_password():
        return False
    if Membership.objects.filter(user=user, removed_at__isnull=True).exclude(role=REVIEWER).exists():
        return False
    runs = Membership.objects.filter(role__in=RUNNING, removed_at__isnull=True)
    also_runs = runs.filter(study=OuterRef("study"), user=OuterRef(OuterRef("user")))
    elsewhere = (
        Membership.objects.filter(user=user, removed_at__isnull=True).exclude(study=study).filter(~Exists(also_runs))
    )
    return not runs.filter(study=study, user__is_staff=False).filter(Exists(elsewhere)).exists()


def name_panelist(study: Study, user: User, name: str) -> None:
    """Who came with nothing but a panel's id is called by the number of the membership."""
    if name or user.first_name:
        return
    number = Membership.objects.values_list("number", flat=True).get(study=study, user=user)
    user.first_name = _("Participant %(number)s") % {"number": number}
    user.save(update_fields=["first_name"])


def give_personal_link(study: Study, user: User) -> None:
    """A way back for somebody who gave no address; it stands on their account page."""
    Invitation.objects.create(
        study=study,
        name=user.first_name[:150] or user.username,
        user=user,
        accepted_at=Now(),
        expires_at=timezone.now() + timedelta(days=DAYS),
    )
