"""Finding the invitation behind a link."""

from uuid import UUID

from django.core.signing import BadSignature, Signer

from evaluation.models import Invitation

__all__ = ["SIGNER", "invitation_of_token"]

SIGNER = Signer(salt="evaluation.invitation", sep=".")


def invitation_of_token(token: str) -> Invitation | None:
    """None when the signature is wrong or the link was replaced by a newer one."""
    try:
        public_id = UUID(hex=SIGNER.unsign(token))
    except (BadSignature, ValueError):
        return None
    return Invitation.objects.select_related("study", "user").filter(public_id=public_id).first()
