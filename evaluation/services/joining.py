"""How people come into a study: by a personal link, by a link for many, or by themselves where it is open to all.

Whoever may see where texts come from never rates them: researchers of the site, and those who run or read the study.
"""

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import new_person
from evaluation.models import Invitation, Membership, Study
from evaluation.services.entering import enter, enters_by_link, give_personal_link, name_panelist
from evaluation.services.links import LinkUnusable, SignInFirst, check_usable

__all__ = ["accept_invitation", "accept_shared", "check_open", "join_open_study"]


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
        if not enters_by_link(invitation.study, user):
            raise SignInFirst(_("This account is entered by its owner only, not by a link. Please sign in."))
    user = user or new_person(name=invitation.name, address=invitation.email)
    enter(
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
        enter(study=study, user=signed_in, participant_id=participant_id, consents=consents)
        return signed_in
    _check_not_closed(study)
    counted = Invitation.objects.filter(
        Q(most_uses__isnull=True) | Q(uses__lt=F("most_uses")),
        pk=invitation.pk,
        revoked_at__isnull=True,
        expires_at__gt=timezone.now(),
    ).update(uses=F("uses") + 1)  # the row's lock makes those who come at once wait for each other
    if not counted:
        raise LinkUnusable(_("This link has let in as many people as it may. Ask whoever gave it to you."))
    user = signed_in or new_person(name=name)
    enter(
        study=study,
        user=user,
        quota=invitation.quota or study.default_quota,
        participant_id=participant_id,
        consents=consents,
        way="shared-link",
    )
    name_panelist(study, user, name)
    give_personal_link(study, user)
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
    is_new = enter(
        study=study,
        user=user,
        quota=study.default_quota,
        participant_id=participant_id,
        consents=consents,
        way="open",
    )
    if is_new:
        name_panelist(study, user, name)
        give_personal_link(study, user)
    return user


def check_open(study: Study) -> None:
    """Raise LinkUnusable where nobody may join by themselves."""
    if not study.allows_self_registration or study.state == Study.State.DRAFT or study.archived_at is not None:
        raise LinkUnusable(_("Nobody can join this study by themselves. Ask whoever told you of it for a link."))
    _check_not_closed(study)


def _check_not_closed(study: Study) -> None:
    if study.state == Study.State.CLOSED:
        raise LinkUnusable(_("This study is closed: nothing can be rated in it any more."))


def _known(invitation: Invitation) -> User | None:
    return User.objects.filter(email__iexact=invitation.email).first() if invitation.email else None


def _signed_in_colleague(invitation: Invitation, signed_in: User | None) -> User | None:
    """To help run a study people use the account they have; reviewers get one of their own."""
    return None if invitation.role == Membership.Role.REVIEWER else signed_in
