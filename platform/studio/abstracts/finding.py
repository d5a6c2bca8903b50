"""What an address names, or a plain 404."""

from uuid import UUID

from django.http import Http404, HttpRequest

from generation.models import Abstract
from graphs import selectors
from graphs.models import ReferenceRange, ScoreSettings


def find_abstract(public_id: UUID) -> Abstract:
    found = selectors.find_abstract(public_id=public_id)
    if found is None:
        raise Http404
    return found


def find_range(request: HttpRequest, settings: ScoreSettings | None) -> ReferenceRange | None:
    """The frozen range that the address asks for by `range`; None where it asks for none."""
    asked = request.GET.get("range", "")
    if not asked:
        return None
    is_key = asked.isascii() and asked.isdecimal() and len(asked) < 19
    found = selectors.reference_ranges(settings=settings).filter(pk=int(asked)).first() if settings and is_key else None
    if found is None:
        raise Http404
    return found
