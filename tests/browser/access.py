"""What every page owes everybody: nothing that axe finds in light or dark, nothing that leaves a narrow screen."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

SIZES = ({"width": 320, "height": 640}, {"width": 1280, "height": 800})


def check_access(page: Any) -> None:
    """Look at the page as it stands, with whatever is open on it."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
    for size in SIZES:
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], page.url
