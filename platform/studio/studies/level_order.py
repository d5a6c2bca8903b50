"""Levels in alphabetical order: often not an order that a person meant, but one that software left."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest

from evaluation.rubrics import CriterionSpec
from evaluation.science.advice import alphabetical


def warn_of_alphabet(request: HttpRequest, criteria: Iterable[CriterionSpec]) -> None:
    """The launch freezes the order, and weighted coefficients rest on it."""
    for criterion in criteria:
        labels = [level.label for level in criterion.levels]
        if alphabetical(labels):
            messages.warning(
                request,
                f"The levels of {criterion.name} stand in alphabetical order: {', '.join(labels)}. If this is not "
                "their order from the lowest to the highest, change the protocol before the launch.",
            )
