"""Pages of a long list by the key of their first or last row, so that the last page costs no more than the first."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from studio.whole_numbers import whole_number

Row = TypeVar("Row", bound=Model)
BIGINT = 18  # digits that fit in any case


@dataclass(frozen=True)
class KeysetPage(Generic[Row]):
    """`previous` and `next` are query strings for the neighbouring pages, or empty."""

    rows: list[Row]
    previous: str
    next: str


def keyset_page(request: HttpRequest, rows: QuerySet[Row], *, size: int) -> KeysetPage[Row]:
    """The page that the address asks for by `after` or `before`, in the order of the keys."""
    after, before = (whole_number(request.GET.get(name), digits=BIGINT) for name in ("after", "before"))
    if before is not None:
        found = list(rows.filter(pk__lt=before).order_by("-pk")[: size + 1])
        has_previous, has_next = len(found) > size, True
        found = found[:size][::-1]
    else:
        found = list((rows.filter(pk__gt=after) if after is not None else rows).order_by("pk")[: size + 1])
        has_previous, has_next = after is not None, len(found) > size
        found = found[:size]
    if not found:
        return KeysetPage([], previous="", next="")
    return KeysetPage(
        found,
        previous=_address(request, before=found[0].pk) if has_previous else "",
        next=_address(request, after=found[-1].pk) if has_next else "",
    )


def _address(request: HttpRequest, **place: Any) -> str:
    query = request.GET.copy()
    for name in ("after", "before"):
        query.pop(name, None)
    for name, value in place.items():
        query[name] = str(value)
    return f"?{query.urlencode()}"
