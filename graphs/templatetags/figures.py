"""How figures are written."""

from django import template
from django.utils.formats import get_format

register = template.Library()

SIGNIFICANT = 4


@register.filter
def figure(value: float | None) -> str:
    """Four significant digits, in powers of ten only where the figure is very small or very large."""
    if value is None:
        return "–"
    size = abs(value)
    if size and not 1e-4 <= size < 1e6:
        written = f"{value:.{SIGNIFICANT - 1}e}"
    elif size >= 10 ** (SIGNIFICANT - 1):
        written = f"{value:.0f}"
    else:
        written = f"{value:#.{SIGNIFICANT}g}" if size else "0"
    return _localised(written.rstrip("."))


@register.filter
def signed(value: float | None) -> str:
    """Like `figure`, with a sign: for differences."""
    written = figure(value)
    return f"+{written}" if value is not None and value > 0 else written


@register.filter
def decimals(value: float | None, places: int) -> str:
    """So many decimals: for z and p."""
    return "–" if value is None else _localised(f"{value:.{places}f}")


def _localised(written: str) -> str:
    """With a true minus sign and the decimal separator of the reader's language."""
    return written.replace("-", "−").replace(".", str(get_format("DECIMAL_SEPARATOR")))
