"""How people come into a study: by a personal link, by a link for many, or by themselves where it is open to all.

Whoever may see where texts come from never rates them: researchers of the site, and those who run or read the study.
"""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import new_person
from evaluation.errors import StudyError
from evaluation.models import Invitation, Membership, Study
from evaluation.selectors.consent import consent_sha256
from evaluation.services.conflicts import find_conflicts
from evaluation.services.events import record_if_launched
from evaluation.services.links import LinkUnusable, SignInFirst, check_usable

__all__ = ["DAYS", "accept_invitation", "accept_shared", "check_open", "give_consent", "join_open_study"]

DAYS = 60
REVIEWER = Membership.Role.REVIEWER
RUNNING = (Membership.Role.OWNER, Membership.Role.MANAGER)


@transaction.atomic
def accept_invitation(
    *,
    invitation: Invitation,
    signed_in: User | None = None,
    participant_id: str = "",
    consents: bool = False,
) -> User:
    """The account that a personal or one-time link leads to: made at the first time, the same one ever after.

    Raises SignInFirst where the account is not one that a link may enter, unless its owner is signed in.
    """
    # All links of one address wait for each other, in one order, so that they make one account.
    same = Q(pk=invitation.pk) | (Q(email=invitation.email) & ~Q(email=""))
    locked = Invitation.objects.select_for_update(of=("self",)).filter(same).select_related("study").order_by("pk")
    found = next((one for one in locked if one.pk == invitation.pk), None)
    if found is None:
        raise LinkUnusable(_("The study is no longer there. Ask whoever invited you."))
    invitation = found
    check_usable(invitation)
    user = invitation.user or _known(invitation) or _signed_in_colleague(invitation, signed_in)
    if user is not None and not user.is_active:
        raise LinkUnusable(_("This account is switched off. Ask the operator of this site."))
    if user is not None and user != signed_in:
        if invitation.kind == Invitation.Kind.ONCE and invitation.accepted_at is not None:
            raise SignInFirst(_("This link works once, and was used. Sign in to come back."))
        if not _enters_by_link(invitation.study, user):
            raise SignInFirst(_("This account is entered by its owner only, not by a link. Please sign in."))
    user = user or new_person(name=invitation.name, address=invitation.email)
    _enter(
        study=invitation.study,
        user=user,
        role=invitation.role,
        quota=invitation.quota,
        participant_id=participant_id,
        consents=consents,
        way="link",
    )
    invitation.user = user
    invitation.uses = F("uses") + 1
    if invitation.accepted_at is None:
        invitation.accepted_at = Now()
    invitation.save(update_fields=["user", "accepted_at", "uses"])
    return user


@transaction.atomic
def accept_shared(
    *,
    invitation: Invitation,
    name: str,
    signed_in: User | None = None,
    participant_id: str = "",
    consents: bool = False,
) -> User:
    """One more person by a link for many. Those who take part already use up nothing."""
    check_usable(invitation)
    study = invitation.study
    if signed_in is not None and Membership.objects.filter(study=study, user=signed_in, removed_at__isnull=True):
        _enter(study=study, user=signed_in, participant_id=participant_id, consents=consents)
        return signed_in
    counted = Invitation.objects.filter(
        Q(most_uses__isnull=True) | Q(uses__lt=F("most_uses")),
        pk=invitation.pk,
        revoked_at__isnull=True,
        expires_at__gt=timezone.now(),
    ).update(uses=F("uses") + 1)  # the row's lock makes those who come at once wait for each other
    if not counted:
        raise LinkUnusable(_("This link has let in as many people as it may. Ask whoever gave it to you."))
    user = signed_in or new_person(name=name)
    _enter(
        study=study,
        user=user,
        quota=invitation.quota or study.default_quota,
        participant_id=participant_id,
        consents=consents,
        way="shared-link",
    )
    _name_panelist(study, user, name)
    _personal_link(study, user)
    return user


@transaction.atomic
def join_open_study(
    *,
    study: Study,
    name: str,
    signed_in: User | None = None,
    participant_id: str = "",
    consents: bool = False,
) -> User:
    """One more reviewer of a study that anyone may join."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    check_open(study)
    user = signed_in or new_person(name=name)
    is_new = _enter(
        study=study,
        user=user,
        quota=study.default_quota,
        participant_id=participant_id,
        consents=consents,
        way="open",
    )
    if is_new:
        _name_panelist(study, user, name)
        _personal_link(study, user)
    return user


def check_open(study: Study) -> None:
    """Raise LinkUnusable where nobody may join by themselves."""
    if not study.allows_self_registration or study.state == Study.State.DRAFT or study.archived_at is not None:
        raise LinkUnusable(_("Nobody can join this study by themselves. Ask whoever told you of it for a link."))
    if study.state == Study.State.CLOSED:
        raise LinkUnusable(_("This study is closed: nothing can be rated in it any more."))


@transaction.atomic
def give_consent(*, member: Membership) -> None:
    """Store that, and to which text, somebody agreed; the study's text at this moment is meant."""
    locked = Membership.objects.select_for_update(of=("self",)).select_related("study").get(pk=member.pk)
    if not locked.study.consent:
        raise StudyError(_("This study asks for no consent."))
    locked.consented_at = timezone.now()
    locked.consent_sha256 = consent_sha256(locked.study)
    locked.save(update_fields=["consented_at", "consent_sha256"])


def _enter(
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
        record_if_launched(study=study, actor=user, kind="member-joined", role=role, way=way)
        if role == REVIEWER:
            find_conflicts(study=study, user=user)
    return is_new


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


def _known(invitation: Invitation) -> User | None:
    return User.objects.filter(email__iexact=invitation.email).first() if invitation.email else None


def _signed_in_colleague(invitation: Invitation, signed_in: User | None) -> User | None:
    """To help run a study people use the account they have; reviewers get one of their own."""
    return None if invitation.role == REVIEWER else signed_in


def _enters_by_link(study: Study, user: User) -> bool:
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


def _name_panelist(study: Study, user: User, name: str) -> None:
    """Who came with nothing but a panel's id is called by the number of the membership."""
    if name or user.first_name:
        return
    number = Membership.objects.values_list("number", flat=True).get(study=study, user=user)
    user.first_name = _("Participant %(number)s") % {"number": number}
    user.save(update_fields=["first_name"])


def _personal_link(study: Study, user: User) -> None:
    """A way back for somebody who gave no address; it stands on their account page."""
    Invitation.objects.create(
        study=study,
        name=user.first_name[:150] or user.username,
        user=user,
        accepted_at=Now(),
        expires_at=timezone.now() + timedelta(days=DAYS),
    )
