"""Sessions in the database with the cache in front, found by keys that this site itself could have given out."""

from django.contrib.sessions.backends.cached_db import SessionStore as CachedStore


class SessionStore(CachedStore):
    def _validate_session_key(self, key: str | None) -> bool:
        """A cookie may hold anything, a null character too, at which PostgreSQL would stop with an error."""
        return bool(key and 8 <= len(key) <= 40 and key.isascii() and key.isalnum())
