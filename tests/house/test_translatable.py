"""No page says a word that cannot be translated: neither in a template nor in what views, forms and services answer."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
# Names, symbols and files, the same in every language.
KEPT = {"Kappagraph", "kappa", "graph", "SHA", "χ²", "DOI", "CSV", "UTC", "JSON", "ORCID"}
FILE = re.compile(r"\b\w+\.(csv|jsonl?|md|zip)\b")
WORD = re.compile(r"[^\W\d_]{2,}")
TAG = r"\{%.*?%\}|\{\{.*?\}\}"
QUOTED = rf'"(?:{TAG}|[^"])*"'
GONE = [
    r"\{% comment %\}.*?\{% endcomment %\}|\{#.*?#\}|<!--.*?-->",
    r"\{% blocktranslate\b.*?\{% endblocktranslate %\}",
    r"<(code|pre|kbd|samp|script)\b.*?</\1>",
]
SPOKEN = re.compile(rf"\b(?:title|aria-label|alt|placeholder|data-label|label)=({QUOTED})", re.DOTALL)
MARKUP = re.compile(rf"<[a-zA-Z/!](?:{TAG}|{QUOTED}|[^>\"])*>", re.DOTALL)
ARGUMENT = re.compile(
    r'\b(?:label|help|legend|about|caption|hint)="([^"]*)"|\|(?:default|yesno|pluralize)(?:_if_none)?:"([^"]*)"'
)

# What a person reads, by the name of the call that takes it.
SPEAKING = {"ValidationError", "add_error", "success", "info", "warning", "error"}
FIELDS = {"label", "help_text", "empty_label"}
SPEAKING |= {"StudyError", "RatingRefused", "NotYours", "StudyClosed", "LinkUnusable", "BatchNotReady", "Unreadable"}
SOURCES = sorted(
    path
    for folder in (
        "platform/rating",
        "platform/studio",
        "platform/accounts",
        "evaluation/services",
        "evaluation/protocol.py",
    )
    for path in ([ROOT / folder] if folder.endswith(".py") else (ROOT / folder).rglob("*.py"))
    if not {"management", "migrations"} & set(path.parts) and path.name not in {"sample.py", "models.py"}
)


def words(text: str) -> list[str]:
    return [word for word in WORD.findall(FILE.sub("", re.sub(r"&\w+;", " ", text))) if word not in KEPT]


def bare_words(template: str) -> Iterator[str]:
    for pattern in GONE:
        template = re.sub(pattern, " ", template, flags=re.DOTALL)
    for markup in MARKUP.findall(template):
        for found in SPOKEN.finditer(markup):
            yield from words(re.sub(TAG, " ", found[1]))
    for tag in re.findall(TAG, template, re.DOTALL):
        for found in ARGUMENT.finditer(tag):
            yield from words(found[1] or found[2] or "")
    yield from words(re.sub(TAG, " ", MARKUP.sub(" ", template)))


def test_bare_words_are_found() -> None:
    found = list(
        bare_words('<p title="One">{{ x|default:"two" }} three <b class="four">{% translate "five" %}</b></p>')
    )
    assert found == ["One", "two", "three"]
    assert list(
        bare_words('{% include "a.html" with label="six" %}{% blocktranslate %}seven{% endblocktranslate %}')
    ) == ["six"]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_every_word_of_a_template_can_be_translated(path: Path) -> None:
    text = re.sub(r"\{% block main_attributes %\}.*?\{% endblock[^%]*%\}", "", path.read_text(encoding="utf-8"))
    assert list(bare_words(text)) == []


def spoken_literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        said = [*node.args] if name in SPEAKING else []
        if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") in {"logger", "log"}:
            said = []
        said += [keyword.value for keyword in node.keywords if keyword.arg in FIELDS]
        for value in said:
            if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
                text = ast.unparse(value)
                if len(words(re.sub(r"\{.*?\}", " ", text))) > 1 or ((value in node.args) is False and words(text)):
                    yield f"{path.relative_to(ROOT)}:{value.lineno}: {text}"


def test_every_answer_of_a_view_a_form_or_a_service_can_be_translated() -> None:
    assert [found for path in SOURCES for found in spoken_literals(path)] == []
