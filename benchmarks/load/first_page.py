"""What a browser fetches to show the rating page for the first time."""

import shutil
from dataclasses import dataclass

from benchmarks.load.client import TOKEN, Reviewer

__all__ = ["FirstPage", "first_page"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync")


@dataclass(frozen=True)
class FirstPage:
    """Bytes are those on the wire, heads included, as the browser counts them."""

    requests: dict[str, int]
    seconds: float

    @property
    def size(self) -> int:
        return sum(self.requests.values())


def first_page(*, address: str, reviewer: Reviewer, place: str) -> FirstPage | None:
    """Open a text with an empty cache; None where no browser is installed."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, chromium_sandbox=False, args=list(FLAGS))
        context = browser.new_context(base_url=address)
        context.add_cookies(
            [
                {"name": "sessionid", "value": reviewer.session, "url": address},
                {"name": "csrftoken", "value": TOKEN, "url": address},
            ]
        )
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        addresses: dict[str, str] = {}
        sizes: dict[str, int] = {}
        wire.on(
            "Network.requestWillBeSent", lambda event: addresses.update({event["requestId"]: event["request"]["url"]})
        )
        wire.on(
            "Network.loadingFinished", lambda event: sizes.update({event["requestId"]: int(event["encodedDataLength"])})
        )
        page.goto(place, wait_until="networkidle")
        seconds = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
        browser.close()
    return FirstPage(
        {
            addresses[one].removeprefix(address): size
            for one, size in sizes.items()
            if not addresses[one].startswith("data:")
        },
        float(seconds),
    )
