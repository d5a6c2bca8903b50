"""Names for reviewers that only the holder of an export's salt could trace back."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache
from uuid import UUID

__all__ = ["Pseudonyms"]

LENGTH = 12  # 60 bits: no two reviewers of a study meet by chance


class Pseudonyms:
    """HMAC-SHA256 of a person's public id under the export's salt: same salt, same name; another salt, another name."""

    def __init__(self, salt: str) -> None:
        self._key = salt.encode()
        self.of = lru_cache(maxsize=4096)(self._of)

    def _of(self, person: UUID) -> str:
        digest = hmac.new(self._key, person.bytes, hashlib.sha256).digest()
        return "rater-" + base64.b32encode(digest).decode().lower()[:LENGTH]
