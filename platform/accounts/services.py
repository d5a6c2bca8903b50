"""A person's own address: given only once it is proved to be theirs."""

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from accounts.models import User

__all__ = ["AddressTaken", "has_proved_address", "new_person", "set_address"]


class AddressTaken(Exception):
    """Another account has this address."""


def set_address(*, user: User, address: str) -> None:
    """Make a proved address the account's one and only. Raises AddressTaken, and then changes nothing."""
    address = address.lower()
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            if EmailAddress.objects.filter(email=address, verified=True).exclude(user=user).exists():
                raise AddressTaken
            EmailAddress.objects.filter(user=user).exclude(email=address).delete()
            EmailAddress.objects.filter(email=address).exclude(user=user).delete()  # never proved
            EmailAddress.objects.update_or_create(
                user=user, email=address, defaults={"verified": True, "primary": True}
            )
            user.email = address
            user.save(update_fields=["email"])
    except IntegrityError:
        raise AddressTaken from None


def has_proved_address(user: User) -> bool:
    """Whether the person typed in a code mailed to their address: an invitation names one without any proof."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def new_person(*, name: str, address: str = "") -> User:
    """An account without a password; its user name says nothing about its person."""
    user = User(first_name=name[:150], email=address.lower())
    user.username = f"reviewer-{user.public_id.hex[:12]}"
    user.set_unusable_password()
    user.save()
    return user
