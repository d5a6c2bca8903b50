"""Prompts and the messages made of them."""

import pytest

from generation.science.messages import Message, Source, messages_sha256, render_messages
from generation.science.prompts import PROMPTS

# The first digits of each wording's hash: a changed wording is a new version, and a new line here.
WORDINGS = {"A": "9d1f11047b328462", "B": "e27f903a7b3cc7cf", "C": "941c84ef274de1c5"}
SOURCES = [Source("Settling in cones", "Tailings settle."), Source("Dry stacks", "Stacks drain.")]


def test_the_three_strategies_are_there():
    assert [(prompt.key, prompt.version) for prompt in PROMPTS] == [("A", 1), ("B", 1), ("C", 1)]
    a, b, c = PROMPTS
    assert "Take your time before answering." in b.template
    assert "Take your time" not in a.template + c.template
    assert "postdoctoral researcher" in c.system
    assert "researcher" not in a.system + b.system


def test_a_wording_that_changes_without_a_new_version_is_noticed():
    assert {prompt.key: prompt.sha256[:16] for prompt in PROMPTS} == WORDINGS


def test_hashes_tell_wordings_apart():
    assert len({prompt.sha256 for prompt in PROMPTS}) == 3


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_messages_hold_the_query_and_the_abstracts_in_order(prompt):
    system, user = render_messages(prompt, query=" How do tailings settle? ", sources=SOURCES)
    assert system == Message("system", prompt.system)
    assert user.role == "user"
    assert "How do tailings settle?\n" in user.content
    assert user.content.index("[1] Settling in cones\nTailings settle.") < user.content.index("[2] Dry stacks")
    assert "{" not in user.content


def test_braces_in_a_query_or_an_abstract_stay_as_they_are():
    sources = [Source("Set {x}", "All {query} in {abstracts}.")]
    _, user = render_messages(PROMPTS[0], query="What is {abstracts}?", sources=sources)
    assert "What is {abstracts}?" in user.content
    assert "All {query} in {abstracts}." in user.content


def test_a_wording_without_a_system_message_has_none():
    class Bare:
        system = ""
        template = "{query}: {abstracts}"

    (message,) = render_messages(Bare(), query="q", sources=[])
    assert message == Message("user", "q: ")


def test_the_hash_of_messages_knows_roles_and_order():
    one, two = Message("system", "x"), Message("user", "y")
    hashes = {messages_sha256(m) for m in ([one, two], [two, one], [Message("user", "x"), two], [one])}
    assert len(hashes) == 4
