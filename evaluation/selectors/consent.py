"""Whether somebody agreed to what a study tells its reviewers first."""

import hashlib

from evaluation.models import Membership, Study

__all__ = ["consent_sha256", "lacks_consent"]


def consent_sha256(study: Study) -> str:
    """SHA-256 of the consent text, as UTF-8."""
    return hashlib.sha256(study.consent.encode()).hexdigest()


def lacks_consent(member: Membership) -> bool:
    """True where the study (loaded with the membership) asks for consent, and this text was not agreed to."""
    study = member.study
    return bool(study.consent) and (member.consented_at is None or member.consent_sha256 != consent_sha256(study))
