"""The pages about one study, as its tabs name them."""

from typing import Any

from evaluation.models import Study

__all__ = ["study_page"]


def study_page(study: Study, tab: str) -> dict[str, Any]:
    """What every page with tabs tells its template."""
    return {"section": "studies", "study": study, "tab": tab}
