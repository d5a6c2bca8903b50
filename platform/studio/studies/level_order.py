"""Levels in alphabetical order: often not an order that a person meant, but one that software left."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from evaluation.rubrics import CriterionSpec
from evaluation.science.advice import alphabetical


def warn_of_alphabet(request: HttpRequest, criteria: Iterable[CriterionSpec]) -> None:
    """The launch freezes the order, and weighted coefficients rest on it."""
    for criterion in criteria:
        labels = [level.label for level in criterion.levels]
        if alphabetical(labels):
            messages.warning(
                request,
                gettext(
                    "The levels of %(name)s stand in alphabetical order: %(labels)s. If this is not their order from "
                    "the lowest to the highest, change the protocol before the launch."
                )
                % {"name": criterion.name, "labels": ", ".join(labels)},
            )
