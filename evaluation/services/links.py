"""Links of invitations: signed, so that nobody makes one up, and checked against the database at each use."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evaluation.models import Invitation
from evaluation.selectors.invitations import SIGNER

__all__ = ["LinkUnusable", "SignInFirst", "check_usable", "invitation_path", "invitation_token", "invitation_url"]


class LinkUnusable(Exception):
    """The link or address lets nobody in; the message says why and what to do."""


class SignInFirst(LinkUnusable):
    """The link is good, but its account is entered by its owner's password, mailed code or provider only."""


def check_usable(invitation: Invitation) -> None:
    """Raise LinkUnusable when the link was revoked or has run out."""
    if invitation.revoked_at is not None:
        raise LinkUnusable(_("This link was withdrawn. Ask whoever invited you for a new one."))
    if invitation.expires_at <= timezone.now():
        raise LinkUnusable(_("This link has run out. Ask whoever invited you for a new one."))


def invitation_token(invitation: Invitation) -> str:
    return SIGNER.sign(invitation.public_id.hex)


def invitation_path(invitation: Invitation) -> str:
    """The link without the site's address."""
    return reverse("join", args=[invitation_token(invitation)])


def invitation_url(invitation: Invitation) -> str:
    return settings.SITE_URL.rstrip("/") + invitation_path(invitation)
