"""The catalogues: whole, compiled as they are written, and with the places that a sentence takes over left alone."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.core.management import call_command

ROOT = Path(__file__).parents[2]
(LOCALE,) = settings.LOCALE_PATHS
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
PLACES = re.compile(r"%\(\w+\)[-.\d]*[a-z]|%[-.\d]*[sdrf](?![\w])|\{\w*(?=[:}])|</?[a-z][^>]*>")
TRANSLATED_ATTRIBUTE = re.compile(r'\b(title|aria-label)="[^"]*"')

pytestmark = pytest.mark.parametrize("language", LANGUAGES)


def catalogue(language: str, suffix: str = "po") -> Any:
    path = LOCALE / language / "LC_MESSAGES" / f"django.{suffix}"
    return polib.pofile(str(path)) if suffix == "po" else polib.mofile(str(path))


def forms(entry: Any) -> list[tuple[str, str]]:
    """Each English form beside a translated one."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    first, *others = (entry.msgstr_plural[number] for number in sorted(entry.msgstr_plural))
    return [(entry.msgid, first), *((entry.msgid_plural, other) for other in others)]


def places(text: str) -> list[str]:
    return sorted(PLACES.findall(TRANSLATED_ATTRIBUTE.sub("", text)))


def test_every_message_is_translated_and_none_is_a_guess(language: str) -> None:
    found = catalogue(language)
    assert len(found) > 1000
    assert [entry.msgid for entry in found if entry.fuzzy or entry.obsolete] == []
    assert [entry.msgid for entry in found if not all(other for _, other in forms(entry))] == []


def test_what_a_sentence_takes_over_stays_in_it(language: str) -> None:
    """Names and marks are the same; only a form for one may leave its number to the word."""
    wrong = []
    for entry in catalogue(language):
        for number, (ours, other) in enumerate(forms(entry)):
            lost = set(places(ours)) - set(places(other))
            added = set(places(other)) - set(places(ours)) - set(places(entry.msgid_plural))
            if added or (lost and not (entry.msgid_plural and number == 0)):
                wrong.append((ours, other))
    assert wrong == []


def test_spaces_at_the_ends_stay(language: str) -> None:
    ends = [
        (pair, [text[:1].isspace() or text[-1:].isspace() for text in pair])
        for e in catalogue(language)
        for pair in forms(e)
    ]
    assert [pair for pair, (ours, other) in ends if ours != other] == []


def test_the_compiled_catalogue_equals_its_source(language: str) -> None:
    def content(found: Any) -> dict[Any, Any]:
        return {(e.msgctxt, e.msgid, e.msgid_plural or ""): [other for _, other in forms(e)] for e in found}

    assert content(catalogue(language, "mo")) == content(catalogue(language))


def test_both_files_are_in_the_repository_and_so_in_the_wheel(language: str) -> None:
    """What git ignores, the wheel leaves out."""
    listing = subprocess.run(["git", "ls-files", str(LOCALE)], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git check-out")
    kept = {Path(name).name for name in listing.stdout.splitlines() if f"/{language}/" in name}
    assert kept == {"django.po", "django.mo"}


def test_no_message_of_the_code_is_missing(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    if shutil.which("xgettext") is None or shutil.which("msgmerge") is None:
        pytest.skip("gettext is not installed, so nothing can be collected from the code")
    settings.LOCALE_PATHS = [tmp_path]
    monkeypatch.chdir(ROOT)
    ignored = [".*", "tests", "benchmarks", "locale", "*/locale", "platform/config/locale"]
    call_command("makemessages", locale=[language], ignore_patterns=ignored, no_location=True, verbosity=0)
    collected = polib.pofile(str(tmp_path / language / "LC_MESSAGES" / "django.po"))
    known = {(entry.msgctxt, entry.msgid) for entry in catalogue(language)}
    assert sorted(entry.msgid for entry in collected if (entry.msgctxt, entry.msgid) not in known) == []
