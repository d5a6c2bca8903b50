"""What a study may ask beyond levels, in a real browser: practice, marks, pause, the closing question, Arabic."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from evaluation.invitees import Invitee
from evaluation.models import AuthorshipGuess, Confidence, Highlight, Membership, OpenAnswer, Rating, Slot, Study
from evaluation.services.invitations import invitation_path, invite
from tests.browser.access import check_access
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db(transaction=True)
# Our own words, for trying the direction of the script: "Dry tailings are safer than wet ones. Do they cost more?"
ARABIC = "المخلفات الجافة أكثر أمانا من المخلفات الرطبة. هل تكلف أكثر؟"


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the console complains about; a test that expects a complaint clears it."""
    heard: list[str] = []
    yield heard
    assert heard == []


def enter(context: Any, study: Study, complaints: list[str], name: str = "Rita Rater", has_script: bool = True) -> Any:
    """A reviewer's browser with the study's first text open."""
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(invitation_path(invite(study=study, people=[Invitee(name)])[0]))
    page.get_by_role("button", name=f"Continue as {name}").click()
    page.get_by_role("button", name="Start rating").click()
    page.locator("#show-help" if has_script else "#rating").wait_for()  # where the keys are, the script is there
    return page


def saved(page: Any) -> None:
    page.locator("#save-state[data-state=saved]").wait_for()


def heading(page: Any, name: str) -> None:
    page.get_by_role("heading", name=name, exact=True).wait_for()


def test_practice_then_every_kind_of_answer_and_the_closing_question_by_keyboard(
    chromium: Any, complaints: list[str]
) -> None:
    study, _ = make_open_study(
        texts=2,
        practice=1,
        open_criteria=True,
        anchors=True,
        asks_confidence=True,
        asks_authorship=True,
        completion_code="KAPPA-7Q2",
        instructions="Read **slowly**.",
    )
    page = enter(chromium, study, complaints)
    heading(page, "Practice 1 of 1")
    check_access(page)
    for number in range(3):
        if number:
            heading(page, f"Text {number}")
            assert page.evaluate("document.activeElement.tagName") == "H1"
        page.keyboard.press("1")
        page.keyboard.press("3")
        assert page.get_by_label("Novelty").evaluate("node => node === document.activeElement")
        page.keyboard.type("3" if number else "40")
        page.keyboard.press("Tab")
        page.keyboard.type("What the clay does.")
        page.keyboard.press("Tab")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        if not number:
            page.get_by_text("You said Low; we would say High.").wait_for()
            page.get_by_text("You said High, as we do.").wait_for()
            check_access(page)
            page.keyboard.press("Enter")
    heading(page, "Who wrote these texts?")
    check_access(page)
    page.get_by_role("group", name=re.compile("Who wrote")).first.get_by_role("radio", name="A machine").check()
    saved(page)
    assert AuthorshipGuess.objects.get().guess == "machine"
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("KAPPA-7Q2").wait_for()
    check_access(page)
    assert list(Slot.objects.values_list("state", flat=True)) == ["rated"] * 3
    assert sorted(OpenAnswer.objects.filter(number__isnull=False).values_list("number", flat=True)) == [3, 3, 40]
    assert set(OpenAnswer.objects.filter(number=None).values_list("words", flat=True)) == {"What the clay does."}
    assert list(Confidence.objects.values_list("value", flat=True)) == [4, 4, 4]
    member = Membership.objects.get()
    assert member.practised_at is not None
    assert member.finished_at is not None


def test_undo_gives_back_what_was_chosen_before(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(texts=1, open_criteria=True)
    page = enter(chromium, study, complaints)
    group = page.get_by_role("group", name="Meaningfulness")
    undo = page.get_by_role("button", name="Undo")
    assert undo.is_disabled()
    page.keyboard.press("1")
    saved(page)
    group.get_by_role("radio", name="High").check()
    saved(page)
    page.get_by_label("Novelty").fill("7")
    page.get_by_label("Novelty").press("Tab")
    saved(page)
    undo.click()
    assert page.get_by_label("Novelty").input_value() == ""
    undo.click()
    assert group.get_by_role("radio", name=re.compile("^Low")).is_checked()
    saved(page)
    rows = Rating.objects.order_by("revision").values_list("revision", "level__value")
    assert list(rows) == [(1, "low"), (2, "high"), (3, "low")]
    page.locator("h1").focus()
    page.keyboard.press("u")
    page.get_by_text("Choose again for Meaningfulness").wait_for()
    page.keyboard.press("2")
    saved(page)
    assert Rating.objects.latest("pk").level.value == "medium"
    assert OpenAnswer.objects.latest("pk").number is None


def test_a_number_out_of_range_is_pointed_at_and_never_sent(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(texts=1, open_criteria=True)
    page = enter(chromium, study, complaints)
    for wrong in ("700", "1,234", "many"):
        page.get_by_label("Novelty").fill(wrong)
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        page.locator("#save-state[data-state=unsaved]").wait_for()
        assert page.get_by_label("Novelty").evaluate("node => node === document.activeElement")
    assert not OpenAnswer.objects.exists()
    page.get_by_label("Novelty").fill("")
    page.keyboard.type("1,5")
    page.keyboard.press("Escape")
    saved(page)
    assert OpenAnswer.objects.get().number == 1.5


def test_only_active_time_counts_and_a_pause_hides_the_text(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(texts=["Thickened tailings settle slowly."])
    chromium.clock.install()
    page = enter(chromium, study, complaints)
    text = page.get_by_text("Thickened tailings settle slowly.")

    def seconds_of(act: str) -> float:
        """Seconds that the server counts from now until a key was pressed."""
        before = Slot.objects.get().seconds_active
        page.keyboard.press(act)
        chromium.clock.run_for(50)
        saved(page)
        return float(Slot.objects.get().seconds_active - before)

    page.mouse.move(10, 10)
    chromium.clock.run_for(10_000)
    assert 9 <= seconds_of("1") <= 11
    # Half a minute without any sign of life, and what follows it is not counted.
    chromium.clock.run_for(300_000)
    page.locator("h1").focus()
    assert 28 <= seconds_of("2") <= 31
    page.keyboard.press("p")
    page.get_by_role("dialog", name="Paused").wait_for()
    assert not text.is_visible()
    check_access(page)
    chromium.clock.run_for(20_000)
    page.get_by_role("button", name="Go on").press("Enter")
    text.wait_for()
    assert seconds_of("1") <= 1
    # Not in front: another tab, another window.
    for hidden in ("document.visibilityState", "document.hasFocus()"):
        name = hidden.partition(".")[2].removesuffix("()")
        value = "() => false" if hidden.endswith("()") else "'hidden'"
        page.evaluate(f"Object.defineProperty(document, '{name}', {{ value: {value}, configurable: true }})")
        page.mouse.move(20, 20)
        chromium.clock.run_for(10_000)
        page.evaluate(f"delete document.{name}")
        assert seconds_of("2" if name == "hasFocus" else "3") <= 1


def test_words_are_marked_by_mouse_and_by_keyboard_and_unmarked(chromium: Any, complaints: list[str]) -> None:
    body = "Paste 🜁 gains strength. It costs more than slurry."
    study, _ = make_open_study(texts=[body], allows_highlights=True, raters_per_item=3)
    page = enter(chromium, study, complaints)
    group = page.get_by_role("group", name="Importance")
    group.get_by_role("button", name="Mark the words that decided this").press("Enter")
    bar = page.get_by_role("group", name=re.compile("Marking for Importance"))
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Mark or unmark this").press("Enter")
    saved(page)
    check_access(page)
    (span,) = Highlight.objects.get().spans
    assert body[span[0] : span[1]] == "It costs more than slurry."
    assert page.locator("#text-body mark").all_inner_texts() == ["It costs more than slurry."]
    bar.get_by_role("button", name="Word by word").click()
    page.locator("#text-body").click(position={"x": 3, "y": 8})  # a tap goes to the word there
    assert page.locator("#text-body .cursor").all_inner_texts() == ["Paste"]
    for _ in range(4):
        bar.get_by_role("button", name="Later").click()
    bar.get_by_role("button", name="Mark or unmark this").click()
    saved(page)
    marked = Highlight.objects.latest("pk").spans
    assert [body[start:end] for start, end in marked] == ["It ", " more than slurry."]
    # With the mouse: from the middle of one part to the middle of another.
    page.evaluate(
        """() => {
            const place = document.getElementById("text-body");
            const range = document.createRange();
            range.setStart(place.firstChild.firstChild || place.firstChild, 0);
            range.setEnd(place.firstChild.firstChild || place.firstChild, "Paste 🜁 ".length);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            place.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
        }"""
    )
    page.keyboard.press("Escape")
    saved(page)
    assert body[slice(*Highlight.objects.latest("pk").spans[0])] == "Paste 🜁"
    page.reload()
    page.locator("#text-body mark").first.wait_for()
    page.locator("#show-help").wait_for()
    assert page.locator("#text-body").inner_text() == body
    group.get_by_role("button", name="Remove “Paste 🜁”").click()
    saved(page)
    assert "Paste 🜁" not in page.locator("#text-body mark").all_inner_texts()
    assert {mark.criterion.key for mark in Highlight.objects.select_related("criterion")} == {"importance"}
    page.get_by_role("button", name="Undo").click()
    saved(page)
    assert body[slice(*Highlight.objects.latest("pk").spans[0])] == "Paste 🜁"


def test_guidelines_open_beside_the_text_and_work_without_the_script(
    browser: Any, chromium: Any, live_server: Any, complaints: list[str]
) -> None:
    study, _ = make_open_study(texts=1, anchors=True, instructions="Read **slowly**.")
    page = enter(chromium, study, complaints)
    drawer = page.get_by_role("region", name="Guidelines")
    page.keyboard.press("g")
    drawer.get_by_text("slowly").wait_for()
    assert drawer.get_by_role("figure").count() > 4
    check_access(page)
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert page.locator("#guidelines summary").evaluate("node => node === document.activeElement")
    assert not Rating.objects.exists()
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    plain = enter(context, study, complaints, "Nora Noscript", has_script=False)
    plain.get_by_text("Guidelines", exact=False).first.click()
    assert plain.get_by_role("region", name="Guidelines").get_by_text("slowly").is_visible()
    assert plain.get_by_role("heading", name="Text 1").is_visible()
    context.close()


def test_right_to_left_texts_run_from_right_to_left(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(texts=[ARABIC], title=ARABIC[:46], instructions=ARABIC, allows_highlights=True)
    page = enter(chromium, study, complaints)
    direction = "node => getComputedStyle(node).direction"
    assert page.locator("#text-body").evaluate(direction) == "rtl"
    assert page.locator("#rating .eyebrow").first.evaluate(direction) == "rtl"
    assert page.get_by_role("group", name="Importance").evaluate(direction) == "ltr"
    page.get_by_label("Comment").fill("مفهوم")
    assert page.get_by_label("Comment").evaluate(direction) == "rtl"
    page.get_by_role("button", name="Mark the words").first.click()
    page.get_by_role("button", name="Mark or unmark this").click()
    saved(page)
    (span,) = Highlight.objects.get().spans
    assert ARABIC[slice(*span)] == ARABIC.partition(". ")[0] + "."
    check_access(page)
    page.set_viewport_size({"width": 640, "height": 400})  # 1280 × 800 at 200 % zoom
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.get_by_role("button", name="Next").is_visible()


def test_nothing_moves_for_who_asks_for_no_motion(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(texts=1)
    page = enter(chromium, study, complaints)
    moving = """() => { document.getElementById("guidelines").open = true;
        return [...document.querySelectorAll("*")].filter((node) => {
            const style = getComputedStyle(node);
            return style.animationName !== "none" || style.transitionDuration.split(", ").some((one) => one !== "0s");
        }).length; }"""
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == 0


def test_the_heaviest_page_is_still_light(chromium: Any, complaints: list[str]) -> None:
    study, _ = make_open_study(
        texts=["Thickened tailings settle slowly. " * 60],
        open_criteria=True,
        anchors=True,
        asks_confidence=True,
        allows_highlights=True,
    )
    page = enter(chromium, study, complaints)
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: len(response.body())}))
    page.reload()
    page.wait_for_load_state("networkidle")
    assert len(sizes) <= 8, sizes
    assert sum(sizes.values()) < 100_000, sizes
