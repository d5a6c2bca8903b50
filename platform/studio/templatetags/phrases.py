"""What the science says, in the reader's language."""

from django import template

from evaluation.reports.phrases import worded

register = template.Library()


@register.filter(name="worded")
def in_words(sentence: str | None) -> str:
    return worded(sentence) or ""
