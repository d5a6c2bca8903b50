"""Rating in a real browser: by keyboard, with a lost network, with an ended session, without the script."""

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache

from accounts.models import User
from evaluation.invitees import Invitee
from evaluation.models import Comment, Rating, Slot, Study, Submission
from evaluation.rubrics import CriterionSpec, LevelSpec
from evaluation.services.invitations import invitation_path, invite
from evaluation.services.studies import close_study
from tests.browser.access import check_access
from tests.factories import make_open_study

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which conditions decide whether tailings can be stored safely?"


@pytest.fixture
def study() -> Study:
    texts = [f"Thickened tailings of site {number} settle slowly. " * 12 for number in range(1, 5)]
    return make_open_study(texts=texts, instructions="Read **slowly**, judge the ideas.")[0]


@pytest.fixture
def way_in(study: Study) -> str:
    return invitation_path(invite(study=study, people=[Invitee("Rita Rater")])[0])


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the console complains about; a test that expects a complaint clears it."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def desk(chromium: Any, way_in: str, complaints: list[str]) -> Any:
    """A reviewer's browser with the first text open."""
    page = chromium.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(way_in)
    page.get_by_role("button", name="Continue as Rita Rater").click()
    page.get_by_role("button", name="Start rating").click()
    page.get_by_role("heading", name="Text 1").wait_for()
    page.locator("#show-help").wait_for()  # the script is there
    return page


def saved(page: Any) -> None:
    page.locator("#save-state[data-state=saved]").wait_for()


def until(condition: Callable[[], bool], page: Any) -> None:
    for _ in range(100):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not happen within five seconds")


def levels() -> list[tuple[int, str, str]]:
    rows = Rating.objects.order_by("slot__position", "criterion__position", "revision")
    return list(rows.values_list("slot__position", "criterion__key", "level__value"))


def test_a_study_is_rated_by_keyboard_alone(desk: Any) -> None:
    for number in range(1, 5):
        desk.get_by_role("heading", name=f"Text {number}").wait_for()
        desk.keyboard.press("3")
        desk.keyboard.press("1")
        desk.keyboard.press("Enter")
    desk.get_by_role("heading", name="You are done, thank you").wait_for()
    assert levels() == [
        (number, criterion, level)
        for number in range(1, 5)
        for criterion, level in (("meaningfulness", "high"), ("importance", "low"))
    ]
    assert Slot.objects.filter(state="rated").count() == 4


def test_every_choice_is_saved_at_once_and_said_so_only_then(desk: Any) -> None:
    state = desk.locator("#save-state")
    assert state.text_content() == ""
    desk.keyboard.press("2")
    saved(desk)
    assert levels() == [(1, "meaningfulness", "medium")]
    desk.reload()
    assert desk.get_by_role("radio", name="Medium").first.is_checked()
    assert state.text_content() == "Saved"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_whether_a_choice_is_stored_is_in_sight_beside_the_choice(
    desk: Any, chromium: Any, complaints: list[str], size: tuple[int, int]
) -> None:
    desk.set_viewport_size({"width": size[0], "height": size[1]})
    first = desk.get_by_role("group", name="Meaningfulness")
    first.scroll_into_view_if_needed()
    is_in_sight = """node => { const box = node.getBoundingClientRect();
        return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight
            && node.contains(document.elementFromPoint(box.left + 5, box.top + 5)); }"""
    chromium.set_offline(True)
    first.get_by_role("radio", name="High").check()
    desk.get_by_text("Not saved, retrying").wait_for()
    state = desk.locator("#save-state")
    assert state.evaluate(is_in_sight)
    chosen = first.get_by_role("radio", name="High")
    assert chosen.is_checked()
    assert chosen.get_attribute("data-stored") is None
    chromium.set_offline(False)
    saved(desk)
    complaints.clear()
    assert state.evaluate(is_in_sight)
    assert chosen.get_attribute("data-stored") == ""
    desk.reload()
    assert chosen.get_attribute("data-stored") == ""


def test_back_and_change(desk: Any) -> None:
    desk.keyboard.press("1")
    desk.keyboard.press("1")
    desk.keyboard.press("Enter")
    desk.get_by_role("heading", name="Text 2").wait_for()
    desk.keyboard.press("Backspace")
    desk.get_by_role("heading", name="Text 1").wait_for()
    desk.get_by_role("group", name="Importance").get_by_role("radio", name="High").check()
    saved(desk)
    desk.get_by_role("button", name="Next").click()
    desk.get_by_role("heading", name="Text 2").wait_for()
    assert levels() == [(1, "meaningfulness", "low"), (1, "importance", "low"), (1, "importance", "high")]
    desk.go_back()
    desk.get_by_role("heading", name="Text 1").wait_for()


def test_next_waits_for_both_criteria(desk: Any) -> None:
    desk.keyboard.press("2")
    desk.keyboard.press("Enter")
    desk.get_by_text("Choose a level for Importance.").wait_for()
    assert desk.get_by_role("heading", name="Text 1").is_visible()
    desk.keyboard.press("2")
    desk.keyboard.press("Enter")
    desk.get_by_role("heading", name="Text 2").wait_for()


def test_keys_rest_while_typing_and_a_comment_is_saved(desk: Any) -> None:
    desk.keyboard.press("c")
    desk.keyboard.type("12s? Clear")
    saved(desk)
    assert Comment.objects.latest("pk").body == "12s? Clear"
    assert levels() == []
    desk.keyboard.press("Escape")
    desk.keyboard.press("1")
    saved(desk)
    assert len(levels()) == 1


def test_keys_can_be_switched_off(desk: Any) -> None:
    assert desk.locator("#rating kbd:visible").count() > 6
    desk.keyboard.press("?")
    check_access(desk)
    desk.get_by_role("checkbox", name="Use these keys").uncheck()
    desk.keyboard.press("1")
    desk.get_by_role("button", name="Close").click()
    assert desk.locator("#rating kbd:visible").count() == 0
    desk.keyboard.press("1")
    desk.reload()
    desk.keyboard.press("1")
    desk.wait_for_timeout(300)
    assert levels() == []


def test_skipping_asks_why(desk: Any) -> None:
    desk.keyboard.press("s")
    desk.keyboard.press("Space")
    desk.get_by_role("button", name="Skip", exact=True).click()
    desk.get_by_role("heading", name="Text 2").wait_for()
    assert Slot.objects.get(state="skipped").skip_reason == "Outside my field"


def test_without_a_network_choices_wait_survive_a_reload_and_are_stored_once(
    desk: Any, chromium: Any, complaints: list[str]
) -> None:
    chromium.set_offline(True)
    desk.keyboard.press("3")
    desk.get_by_text("Not saved, retrying").wait_for()
    desk.keyboard.press("2")
    assert levels() == []
    complaints.clear()
    chromium.set_offline(False)
    desk.on("dialog", lambda dialog: dialog.accept())
    desk.reload()
    saved(desk)
    complaints.clear()
    assert levels() == [(1, "meaningfulness", "high"), (1, "importance", "medium")]
    assert desk.evaluate("Object.keys(localStorage).filter((name) => name.includes('outbox')).length") == 0


def test_an_answer_whose_receipt_got_lost_is_not_stored_twice(desk: Any, complaints: list[str]) -> None:
    lost = []

    def lose(route: Any) -> None:
        lost.append(route.request.post_data)
        route.fetch()
        route.abort()

    desk.route("**/texts/**", lose, times=1)
    desk.keyboard.press("3")
    desk.get_by_text("Not saved, retrying").wait_for()
    saved(desk)
    complaints.clear()
    key = re.search(r"key=([0-9a-f-]{36})", lost[0])
    assert key is not None
    assert Submission.objects.get().key == uuid.UUID(key[1])
    assert levels() == [(1, "meaningfulness", "high")]


def test_a_double_press_of_next_stores_and_moves_on_once(desk: Any) -> None:
    desk.keyboard.press("1")
    desk.keyboard.press("1")
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    desk.get_by_role("heading", name="Text 2").wait_for()
    desk.wait_for_timeout(300)
    assert Slot.objects.count() == 2
    assert len(levels()) == 2


def test_an_ended_session_asks_for_the_link_in_place_and_loses_nothing(
    desk: Any, chromium: Any, study: Study, way_in: str, complaints: list[str]
) -> None:
    """A wrong link, somebody else's link, the right one: only the last one sends what was chosen."""
    other = invitation_path(invite(study=study, people=[Invitee("Otto Other")])[0])
    end_sessions()
    desk.keyboard.press("3")
    dialog = desk.get_by_role("dialog", name="Your session has ended")
    dialog.wait_for()
    field = dialog.get_by_label("The link in your invitation")
    assert field.evaluate("node => node === document.activeElement")
    check_access(desk)
    for pasted, answer in (
        ("https://example.org/nothing", "This is no invitation link"),
        (f"{desk.url.partition('/texts/')[0]}/join/{'0' * 32}.wrong/", "lets nobody in|incomplete"),
        (f"  {desk.url.partition('/texts/')[0]}{other} ", "Somebody else is signed in"),
    ):
        field.fill(pasted)
        desk.keyboard.press("Enter")
        dialog.get_by_role("alert").get_by_text(re.compile(answer)).wait_for()
    assert levels() == []
    assert outbox_size(desk) == 1
    field.fill(way_in)
    desk.keyboard.press("Enter")
    dialog.wait_for(state="hidden")
    saved(desk)
    complaints.clear()
    assert levels() == [(1, "meaningfulness", "high")]
    assert {slot.reviewer.first_name for slot in Slot.objects.select_related("reviewer")} == {"Rita Rater"}
    assert outbox_size(desk) == 0


def test_who_has_a_password_signs_in_again_with_it(desk: Any, complaints: list[str]) -> None:
    person = User.objects.get(first_name="Rita Rater")
    person.set_password("a long password")
    person.save()
    end_sessions()
    desk.goto("/accounts/login/")
    desk.get_by_label("User name or e-mail").fill(person.username)
    desk.get_by_label("Password").fill("a long password")
    desk.get_by_role("button", name="Sign in", exact=True).click()
    desk.get_by_role("heading", name="Your studies").wait_for()
    desk.get_by_role("button", name="Continue").click()
    desk.locator("#show-help").wait_for()
    end_sessions()
    desk.keyboard.press("3")
    dialog = desk.get_by_role("dialog", name="Your session has ended")
    dialog.get_by_role("button", name="Not now").click()
    desk.get_by_role("button", name="Sign in", exact=True).click()
    for password in ("a wrong one", "a long password"):
        dialog.get_by_label("Password").fill(password)
        dialog.get_by_role("button", name="Sign in").click()
        if password == "a wrong one":
            dialog.get_by_role("alert").locator("p").wait_for()
    dialog.wait_for(state="hidden")
    saved(desk)
    complaints.clear()
    assert levels() == [(1, "meaningfulness", "high")]


def test_a_mailed_code_signs_in_again_in_place(chromium: Any, study: Study, complaints: list[str]) -> None:
    (invitation,) = invite(study=study, people=[Invitee("Mia Mail", "mia@example.org")])
    page = chromium.new_page()
    page.goto(invitation_path(invitation))
    page.get_by_role("button", name="Continue as Mia Mail").click()
    page.get_by_role("button", name="Start rating").click()
    page.locator("#show-help").wait_for()
    end_sessions()
    page.keyboard.press("3")
    dialog = page.get_by_role("dialog", name="Your session has ended")
    dialog.get_by_text("Or have a code mailed").click()
    dialog.get_by_role("button", name="Send me a code").click()
    field = dialog.get_by_label("The code from the mail")
    field.wait_for()
    (message,) = mail.outbox
    code = re.search(r"^\s*([A-Z0-9]{4}-[A-Z0-9]{4})\s*$", message.body, re.MULTILINE)
    assert code is not None, message.body
    for given in ("XXXX-XXXX", code[1]):
        field.fill(given)
        page.keyboard.press("Enter")
        if given != code[1]:
            dialog.get_by_role("alert").locator(".error").wait_for()
    dialog.wait_for(state="hidden")
    saved(page)
    assert levels() == [(1, "meaningfulness", "high")]


def end_sessions() -> None:
    Session.objects.all().delete()
    cache.clear()


def outbox_size(page: Any) -> int:
    count = "Object.keys(localStorage).filter((name) => name.includes('outbox')).length"
    return int(page.evaluate(count))


def test_a_study_that_closes_meanwhile_says_that_nothing_was_stored(
    desk: Any, study: Study, complaints: list[str]
) -> None:
    close_study(study=study)
    desk.keyboard.press("3")
    desk.get_by_text("Not saved. The study is closed").wait_for()
    complaints.clear()
    assert levels() == []
    assert desk.get_by_role("radio", name="High").first.is_checked()


def test_two_tabs_never_overwrite_each_other_in_silence(desk: Any, chromium: Any, complaints: list[str]) -> None:
    other = chromium.new_page()
    other.goto(desk.url)
    other.locator("#show-help").wait_for()
    desk.keyboard.press("1")
    saved(desk)
    # What the second tab did not touch is taken over from the first.
    other.get_by_role("group", name="Importance").get_by_role("radio", name="High").check()
    saved(other)
    meaning = other.get_by_role("group", name="Meaningfulness")
    desk.get_by_role("group", name="Importance").get_by_role("radio", name="Low").check()
    dialog = desk.get_by_role("dialog", name="Answered in another window")
    dialog.get_by_role("radio", name="Stored meanwhile: High").wait_for()
    check_access(desk)
    assert levels() == [(1, "meaningfulness", "low"), (1, "importance", "high")]
    dialog.get_by_role("radio", name="On this page: Low").check()
    dialog.get_by_role("button", name="Store this").click()
    saved(desk)
    meaning.get_by_role("radio", name="High").check()
    dialog = other.get_by_role("dialog", name="Answered in another window")
    dialog.get_by_role("button", name="Store this").click()
    saved(other)
    complaints.clear()
    assert meaning.get_by_role("radio", name=re.compile("^Low")).is_checked()
    assert levels() == [(1, "meaningfulness", "low"), (1, "importance", "high"), (1, "importance", "low")]


def test_the_script_is_not_needed(browser: Any, live_server: Any, way_in: str) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(way_in)
    page.get_by_role("button", name="Continue as Rita Rater").click()
    page.get_by_role("button", name="Start rating").click()
    for number in range(1, 5):
        page.get_by_role("heading", name=f"Text {number}").wait_for()
        assert page.locator("kbd:visible").count() == 0
        page.get_by_role("group", name="Meaningfulness").get_by_role("radio", name="High").check()
        if number == 1:
            page.get_by_role("button", name="Next").click()
            page.get_by_text("One criterion still has no answer").wait_for()
        page.get_by_role("group", name="Importance").get_by_role("radio", name="Low").check()
        page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="You are done, thank you").wait_for()
    assert len(levels()) == 8
    context.close()


def test_eleven_levels_have_keys_and_digits_mean_themselves(chromium: Any) -> None:
    levels = tuple(LevelSpec(str(number), str(number)) for number in range(11))
    study, _ = make_open_study(texts=3, criteria=(CriterionSpec("fit", "Fit", levels, "How well does it fit?"),))
    page = chromium.new_page()
    page.goto(invitation_path(invite(study=study, people=[Invitee("Kim")])[0]))
    page.get_by_role("button", name="Continue as Kim").click()
    page.get_by_role("button", name="Start rating").click()
    for number, key in enumerate(("0", "-", "9"), start=1):
        page.get_by_role("heading", name=f"Text {number}").wait_for()
        page.locator("#show-help").wait_for()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="You are done, thank you").wait_for()
    given = Rating.objects.order_by("slot__position").values_list("level__value", flat=True)
    assert list(given) == ["0", "10", "9"]


def test_every_page_of_the_reviewer_is_open_to_everybody(desk: Any, study: Study, way_in: str) -> None:
    desk.keyboard.press("2")
    saved(desk)
    here = desk.url
    about = f"/rate/{study.public_id}/"
    for address in (here, about, f"{about}answers/", f"{about}done/", way_in, "/"):
        desk.goto(address)
        check_access(desk)
