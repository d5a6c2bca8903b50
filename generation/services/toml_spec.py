"""A batch's specification as a TOML file, with everything named by key instead of by number."""

import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from corpora.models import Corpus, EmbeddingModel
from generation.models import LanguageModel, Prompt
from generation.selectors import current_prompts
from generation.services.specification import BatchSpec, SpecError

Row = TypeVar("Row")
REQUIRED = {
    "name": str,
    "corpus": str,
    "language_models": list,
    "prompts": list,
    "embedding_models": list,
    "temperatures": list,
    "queries": list,
}
MOST_LISTED = 10
OPTIONAL = {"iterations": int, "top_n": int, "max_new_tokens": int, "seed": int}


def read_spec(*, source: str) -> BatchSpec:
    """The specification in a TOML text. Models are named `key` (the newest revision) or `key@revision`, prompts `A`
    (the newest version) or `A.1`.

    Raises
    ------
    SpecError
        With everything that is missing, unknown or of the wrong kind.
    """
    try:
        given = tomllib.loads(source, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise SpecError([f"This is no TOML: {error}."]) from error
    problems = _problems_of_shape(given)
    if problems:
        raise SpecError(problems)
    corpus = Corpus.objects.filter(name=given["corpus"]).first()
    if corpus is None:
        problems.append(f"There is no corpus {given['corpus']!r}; {_corpora()}.")
    models = _find_all(given["language_models"], "language model", _language_model, problems)
    prompts = _find_all(given["prompts"], "prompt", _prompt, problems)
    embeddings = _find_all(given["embedding_models"], "embedding model", _embedding_model, problems)
    if problems or corpus is None:
        raise SpecError(problems)
    spec = BatchSpec(
        name=given["name"],
        corpus=corpus,
        language_models=models,
        prompts=prompts,
        embedding_models=embeddings,
        temperatures=[Decimal(value) for value in given["temperatures"]],
        queries=[" ".join(query.split()) for query in given["queries"]],
        **{name: given[name] for name in OPTIONAL if name in given},
    )
    spec.check()
    return spec


def _problems_of_shape(given: Mapping[str, Any]) -> list[str]:
    known = REQUIRED | OPTIONAL
    problems = [f"{name} is missing." for name in REQUIRED if name not in given]
    problems += [f"{name} is unknown." for name in given if name not in known]
    for name, kind in known.items():
        is_wrong = name in given and (not isinstance(given[name], kind) or isinstance(given[name], bool))
        if is_wrong:
            words = {str: "a text", list: "a list", int: "a whole number"}
            problems.append(f"{name} must be {words[kind]}.")
    for name in ("language_models", "prompts", "embedding_models", "queries"):
        if isinstance(given.get(name), list) and not all(isinstance(value, str) for value in given[name]):
            problems.append(f"{name} must be a list of texts.")
    numbers = given.get("temperatures")
    if isinstance(numbers, list) and not all(_is_temperature(number) for number in numbers):
        problems.append("temperatures must be a list of numbers from 0 to 2.")
    return problems


def _is_temperature(number: object) -> bool:
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        return False
    return Decimal(number).is_finite() and 0 <= number <= 2


def _corpora() -> str:
    names = [repr(name) for name in Corpus.objects.order_by("name").values_list("name", flat=True)[: MOST_LISTED + 1]]
    if not names:
        return "import one first, with import_corpus"
    return f"there are: {', '.join(names[:MOST_LISTED])}{', …' if len(names) > MOST_LISTED else ''}"


def _find_all(names: list[str], kind: str, find: Callable[[str], Row | None], problems: list[str]) -> list[Row]:
    found = {name: find(name) for name in names}
    problems += [f"There is no {kind} {name!r}." for name, row in found.items() if row is None]
    return [row for row in found.values() if row is not None]


def _language_model(name: str) -> LanguageModel | None:
    key, _, revision = name.partition("@")
    rows = LanguageModel.objects.filter(key=key, is_active=True)
    return (rows.filter(revision=revision) if revision else rows).order_by("-pk").first()


def _embedding_model(name: str) -> EmbeddingModel | None:
    key, _, revision = name.partition("@")
    rows = EmbeddingModel.objects.filter(key=key)
    return (rows.filter(revision=revision) if revision else rows).order_by("-pk").first()


def _prompt(name: str) -> Prompt | None:
    key, _, version = name.partition(".")
    if version:
        return Prompt.objects.filter(key=key, version=version).first() if version.isdecimal() else None
    return Prompt.objects.filter(pk__in=current_prompts().values("pk"), key=key).first()
