"""A researcher and reviewers who work through the browser: what the journey's test and its benchmark have in common.

Each step is what a person does on the pages, and gives back what the page then says.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Page = Any  # playwright.sync_api.Page; playwright is needed by the tests only
Levels = Callable[[int, int], int]  # (place of the text, place of the criterion) → index of the level


class Researcher:
    """Someone at the studio's pages."""

    def __init__(self, page: Page, *, patience: float = 60) -> None:
        self.page = page
        self.patience = patience * 1000

    def sign_in(self, *, username: str, password: str) -> None:
        self.page.goto("/studio/")
        self.page.get_by_label("User name or e-mail").fill(username)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        self._see(self.page.get_by_role("heading", name="Studio"))

    def read_export(self, *, path: Path, corpus: str) -> dict[str, int]:
        """Upload an export and wait for its dry run; the figures by their captions."""
        self.page.goto("/studio/corpora/new/")
        self.page.get_by_label("Name", exact=True).fill(corpus)
        self.page.get_by_label("Export file").set_input_files(path)
        self.page.get_by_role("button", name="Read the file").click()
        self._see(self.page.get_by_text("dry run: nothing stored yet"))
        return self._figures()

    def confirm_import(self) -> int:
        """Import for good; the number of documents that the corpus page then reports."""
        self.page.get_by_role("button", name=re.compile("^Import .* document")).click()
        report = self.page.get_by_text(re.compile("^[0-9,]+ documents? imported from "))
        self._see(report)
        return int(str(report.inner_text()).split()[0].replace(",", ""))

    def open_corpus(self, name: str) -> None:
        self.page.goto("/studio/corpora/")
        self.page.get_by_role("link", name=name).click()
        self._see(self.page.get_by_role("heading", name=name))

    def embed(self, *, model: str) -> None:
        """Embed the open corpus and wait until every document has its vector."""
        self.page.get_by_role("button", name=re.compile(f"with {model}$")).click()
        block = self.page.locator(".model-list > li", has_text=model)
        self._see(block.get_by_text("embedded", exact=True))

    def ask(self, *, query: str, model: str, top_n: int) -> list[float]:
        """The similarities of the documents that the open corpus answers with, best first."""
        self.page.get_by_role("textbox", name="Question").fill(query)
        self.page.get_by_label("Embedding model", exact=True).select_option(label=model)
        self.page.get_by_label("How many", exact=True).fill(str(top_n))
        self.page.get_by_role("button", name="Find the nearest documents").click()
        self._see(self.page.locator("ol.ranked > li").first)
        return [
            float(text.split()[-1]) for text in self.page.locator(".similarity > span:first-of-type").all_inner_texts()
        ]

    def design_batch(
        self,
        *,
        name: str,
        corpus: str,
        language_models: Sequence[str],
        prompts: Sequence[str],
        embedding: str,
        temperatures: str,
        query: str,
        iterations: int,
        max_new_tokens: int = 300,
    ) -> None:
        self.page.goto("/studio/batches/new/")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Corpus", exact=True).select_option(label=corpus)
        for label in (*language_models, *prompts, embedding):
            self.page.get_by_role("checkbox", name=label).check()
        self.page.get_by_label("Temperatures", exact=True).fill(temperatures)
        self.page.get_by_label("Questions", exact=True).fill(query)
        self.page.get_by_label("Iterations", exact=True).fill(str(iterations))
        self.page.get_by_label("New tokens", exact=True).fill(str(max_new_tokens))
        self.page.get_by_role("button", name="Save the draft").click()
        self._see(self.page.get_by_role("heading", name=name))

    def launch_batch(self) -> dict[str, int]:
        """Launch the draft on the page and wait, as the page updates itself, until nothing is left to write."""
        self.page.get_by_role("button", name="Launch").click()
        self._see(self.page.locator("#progress:not([hx-trigger])"))
        return self._figures()

    def open_abstract(self, place: int = 0) -> None:
        """Open one of the batch's abstracts and wait until it is scored."""
        self.page.locator(".abstract-list a").nth(place).click()
        self._see(self.page.get_by_role("heading", name="Generated abstract"))
        self._see(self.page.get_by_role("img", name="Radar of seven graph metrics"))

    def design_study(self, *, title: str, batch: str, texts: int) -> None:
        """A draft on the two default criteria, with texts drawn from a batch."""
        self.page.goto("/studio/studies/new/")
        self.page.get_by_label("Title", exact=True).fill(title)
        self.page.get_by_label("Instructions for reviewers").fill("Judge each text by *what it says*.")
        self.page.get_by_role("button", name="Make the draft").click()
        self._see(self.page.get_by_role("heading", name=title))
        source = self.page.locator("form", has=self.page.get_by_role("heading", name="From a batch"))
        source.get_by_label("Batch", exact=True).select_option(label=batch)
        source.get_by_label("How many", exact=True).fill(str(texts))
        source.get_by_role("button", name="Draw").click()
        self._see(self.page.get_by_role("button", name="Launch and freeze"))

    def launch_study(self) -> str:
        """Freeze the draft; the hash of its protocol."""
        self.page.get_by_role("button", name="Launch and freeze").click()
        shown = self.page.locator("code.hash")
        self._see(shown)
        return str(shown.inner_text())

    def invite(self, *names: str) -> dict[str, str]:
        """Links by name, without the site's address."""
        if not self.page.get_by_label("Who", exact=True).is_visible():
            self.page.get_by_text("Invite reviewers").click()
        self.page.get_by_label("Who", exact=True).fill("\n".join(names))
        self.page.get_by_role("button", name="Make links").click()
        links = {name: self.page.get_by_label(f"Link of {name}", exact=True) for name in names}
        for place in links.values():
            self._see(place)
        return {name: urlsplit(place.input_value()).path for name, place in links.items()}

    def open_study(self, title: str) -> None:
        self.page.goto("/studio/studies/")
        self.page.get_by_role("link", name=title, exact=True).click()
        self._see(self.page.get_by_role("heading", name=title))

    def close_study(self) -> None:
        self.page.get_by_text("Close the study", exact=True).click()
        self.page.get_by_role("button", name="Close for good").click()
        self._see(self.page.get_by_text("closed", exact=True).first)

    def open_report(self) -> None:
        self.page.get_by_role("link", name="Report", exact=True).click()
        self._see(self.page.get_by_role("heading", name="Meaningfulness").first)

    def export(self, *, title: str, folder: Path) -> Path:
        """Have the zip written by a worker and download it."""
        self.open_study(title)
        self.page.get_by_role("link", name="Export", exact=True).click()
        self.page.get_by_role("button", name="Export as zip").click()
        link = self.page.get_by_role("link", name="Download").first
        self._see(link)
        with self.page.expect_download() as download:
            link.click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def _figures(self) -> dict[str, int]:
        captions = self.page.locator(".figures span").all_inner_texts()
        values = self.page.locator(".figures strong").all_inner_texts()
        return {
            caption.strip(): int(value.replace(",", ""))
            for caption, value in zip(captions, values, strict=True)
            if value.replace(",", "").isdigit()
        }

    def _see(self, place: Any) -> None:
        place.wait_for(timeout=self.patience)


class Reviewer:
    """Someone who came by a link."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def join(self, path: str, *, name: str) -> None:
        self.page.goto(path)
        self.page.get_by_role("button", name=f"Continue as {name}").click()
        self.page.get_by_role("button", name="Start rating").click()
        self.page.get_by_role("heading", name="Text 1").wait_for()
        self.page.locator("#show-help").wait_for()  # the script is there

    def rate_everything(self, *, criteria: int, levels: Levels) -> int:
        """Rate by keyboard until the study has nothing more; how many texts there were."""
        number = 0
        while self.page.get_by_role("heading", name=f"Text {number + 1}").count():
            number += 1
            for criterion in range(criteria):
                self.page.keyboard.press(str(levels(number, criterion) + 1))
            self.page.locator("#save-state[data-state=saved]").wait_for()
            self.page.keyboard.press("Enter")
            self.page.locator("h1", has_text=re.compile(f"^(?!Text {number}$)")).wait_for()
        self.page.get_by_role("heading", name="You are done, thank you").wait_for()
        return number
