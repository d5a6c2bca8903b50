"""What a reader raises."""

from __future__ import annotations

__all__ = ["RatingsFileError"]


class RatingsFileError(ValueError):
    """A file that cannot be read as ratings; the message is one line that names the place and the way out."""
