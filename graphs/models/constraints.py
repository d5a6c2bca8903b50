"""Conditions that several tables share."""

from django.db.models import Q


def finite(*names: str) -> Q:
    """NaN and the infinities are refused: an undefined metric is null with a reason."""
    condition = Q()
    for name in names:
        condition &= Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gt": float("-inf"), f"{name}__lt": float("inf")})
    return condition
