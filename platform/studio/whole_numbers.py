"""Whole numbers as an address or a form gives them."""

__all__ = ["whole_number"]


def whole_number(text: str | None, *, digits: int) -> int | None:
    """The number, in plain digits and at most so many; None for whatever else it says."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= digits else None
