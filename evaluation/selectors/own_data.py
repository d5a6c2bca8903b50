"""Everything that is stored about a person, for that person: nothing that tells where a text comes from."""

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db.models import F

from accounts.models import User
from evaluation.models import (
    AuthorshipGuess,
    Comment,
    Confidence,
    Highlight,
    Invitation,
    Membership,
    OpenAnswer,
    Rating,
    Slot,
)

__all__ = ["own_data"]


def own_data(*, user: User) -> dict[str, Any]:
    """Plain values under the names of the pages; texts are named by their place in the person's own order."""
    text, study = F("slot__position"), F("slot__item__study__title")
    of_slots = {"study": study, "text": text}
    answers = ("slot__item__study_id", "slot__position", "pk")
    return {
        "account": {
            "name": user.get_full_name(),
            "user_name": user.username,
            "email": user.email,
            "pseudonym": user.public_id,
            "joined": user.date_joined,
            "last_sign_in": user.last_login,
        },
        "connected_accounts": list(SocialAccount.objects.filter(user=user).values("provider", "uid", "extra_data")),
        "studies": list(
            Membership.objects.filter(user=user)
            .order_by("pk")
            .values(
                "role",
                "quota",
                "joined_at",
                "participant_id",
                "consented_at",
                "consent_sha256",
                "finished_at",
                "seen_at",
                "reminded_at",
                "takes_reminders",
                "removed_at",
                title=F("study__title"),
            )
        ),
        "invitations": list(
            Invitation.objects.filter(user=user)
            .order_by("pk")
            .values("name", "email", "created_at", "sent_at", "accepted_at", "expires_at", title=F("study__title"))
        ),
        "texts": list(
            Slot.objects.filter(reviewer=user)
            .order_by("item__study_id", "position")
            .values(
                "claimed_at",
                "answered_at",
                "seconds_active",
                "skip_reason",
                study=F("item__study__title"),
                text=F("position"),
            )
        ),
        "ratings": list(
            Rating.objects.filter(slot__reviewer=user)
            .order_by(*answers)
            .values(
                **of_slots,
                criterion_name=F("criterion__name"),
                chosen=F("level__label"),
                nth_answer=F("revision"),
                at=F("created_at"),
            )
        ),
        "open_answers": list(
            OpenAnswer.objects.filter(slot__reviewer=user)
            .order_by(*answers)
            .values(
                **of_slots,
                criterion_name=F("criterion__name"),
                given_number=F("number"),
                given_words=F("words"),
                nth_answer=F("revision"),
            )
        ),
        "comments": list(
            Comment.objects.filter(slot__reviewer=user)
            .order_by(*answers)
            .values(**of_slots, words=F("body"), at=F("created_at"))
        ),
        "confidence": list(
            Confidence.objects.filter(slot__reviewer=user)
            .order_by(*answers)
            .values(**of_slots, chosen=F("value"), nth_answer=F("revision"))
        ),
        "highlights": list(
            Highlight.objects.filter(slot__reviewer=user)
            .order_by(*answers)
            .values(**of_slots, criterion_name=F("criterion__name"), marked=F("spans"), nth_answer=F("revision"))
        ),
        "guesses": list(
            AuthorshipGuess.objects.filter(reviewer=user)
            .order_by("pk")
            .values("guess", study=F("item__study__title"), at=F("created_at"))
        ),
    }
