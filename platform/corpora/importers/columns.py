"""Which column of a table holds what, by its heading, whatever its case and spacing."""

from django.utils.translation import gettext_noop

__all__ = ["FIELDS", "LABELS", "REQUIRED", "find_columns"]

# The first name that occurs wins: in a Scopus export “Source title” is the journal and “Source” the database. The
# two-letter names are those of Web of Science's tables.
FIELDS: dict[str, tuple[str, ...]] = {
    "title": ("title", "document title", "article title", "item title", "primary title", "ti"),
    "abstract": ("abstract", "abstract note", "abstracts", "abstract text", "ab"),
    "doi": ("doi", "digital object identifier", "doi link", "item doi", "di"),
    "authors": ("authors", "author", "author names", "author full names", "au"),
    "year": ("year", "publication year", "pub year", "py"),
    "source": (
        "source title",
        "journal",
        "journal title",
        "publication title",
        "publication name",
        "publication",
        "so",
    ),
}
LABELS = {
    "title": gettext_noop("Title"),
    "abstract": gettext_noop("Abstract"),
    "doi": gettext_noop("DOI"),
    "authors": gettext_noop("Authors"),
    "year": gettext_noop("Year"),
    "source": gettext_noop("Source title"),
}
REQUIRED = ("title", "abstract")


def find_columns(header: list[str]) -> dict[str, int]:
    """The position of each field that the header names; of two columns with one name the first counts."""
    positions: dict[str, int] = {}
    for position, heading in enumerate(header):
        positions.setdefault(_folded(heading), position)
    present = {field: [positions[name] for name in names if name in positions] for field, names in FIELDS.items()}
    return {field: found[0] for field, found in present.items() if found}


def _folded(heading: str) -> str:
    return " ".join(heading.replace("_", " ").strip("\ufeff \t\"'").lower().split())
