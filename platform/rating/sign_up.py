"""Who may come in by an account elsewhere: people known here, and those who join a study that lets them."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, _build_apps_from_settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from accounts.models import User
from evaluation.models import Invitation, Study
from evaluation.selectors.invitations import invitation_of_token
from evaluation.services.joining import check_open
from evaluation.services.links import LinkUnusable, check_usable


class InvitedOnlyAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """An account elsewhere is connected by its owner while signed in, or where both sides proved one address."""

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[Any]:
        """Providers come from the environment alone: the database is not asked."""
        found = _build_apps_from_settings(provider=provider, client_id=client_id)
        return [app for apps in found.values() for app in apps]

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Only on the way to a study: an open one, or one whose shared link still lets people in."""
        try:
            found = resolve((sociallogin.state.get("next") or "").partition("?")[0])
        except Resolver404:
            return False
        try:
            if found.url_name == "join_study":
                check_open(Study.objects.get(public_id=found.kwargs["study_id"]))
                return True
            if found.url_name == "join" and (invitation := invitation_of_token(found.kwargs["token"])):
                check_usable(invitation)
                return invitation.kind == Invitation.Kind.SHARED
        except (LinkUnusable, Study.DoesNotExist):
            pass
        return False

    def authenticate_by_email(self, sociallogin: Any) -> tuple[User, str] | None:
        """Addresses that the provider vouches for, and that the account here proved by a mailed code."""
        for address in (one.email.lower() for one in sociallogin.email_addresses if one.verified):
            proved = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
            if proved is not None and proved.user.is_active:
                return proved.user, address
        return None

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """A name that may be shown, and a user name that says nothing."""
        user: User = sociallogin.user
        parts = (str(data.get(part) or "") for part in ("first_name", "last_name"))
        name = " ".join(" ".join(parts).split()) or str(data.get("name") or "")
        user.username = f"reviewer-{user.public_id.hex[:12]}"
        user.first_name = name[:150]
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Somebody new brings along an address only if it is proved, and nobody else's here."""
        if sociallogin.is_existing:
            return
        proved = [one for one in sociallogin.email_addresses if one.verified]
        free = [one for one in proved if not User.objects.filter(email__iexact=one.email).exists()][:1]
        sociallogin.email_addresses = free
        sociallogin.user.email = free[0].email.lower() if free else ""

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("account")
