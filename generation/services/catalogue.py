"""What a batch can be made of: prompts and language models."""

import os
from collections.abc import Mapping
from typing import Any

from django.core.cache import cache

from generation.models import LanguageModel, Prompt
from generation.science.backends.registry import KINDS, available, check_options
from generation.science.catalogue import PACKAGED_MODELS
from generation.science.prompts import PROMPTS
from generation.selectors.catalogue import REPORT_KEY


def register_prompts() -> list[Prompt]:
    """Rows for the prompts that come with the installation; those that are there stay as they are."""
    return [
        Prompt.objects.get_or_create(
            key=prompt.key,
            version=prompt.version,
            defaults={"name": prompt.name, "system": prompt.system, "template": prompt.template},
        )[0]
        for prompt in PROMPTS
    ]


def register_language_models() -> list[LanguageModel]:
    """Rows for the models that come with the installation or its packages."""
    return [
        register_language_model(
            key=model.key,
            revision=model.revision,
            backend=model.backend,
            name=model.name,
            options=dict(model.options),
        )
        for model in PACKAGED_MODELS
    ]


def register_language_model(
    *, key: str, revision: str, backend: str, name: str, options: Mapping[str, Any] | None = None
) -> LanguageModel:
    """The model under this key and revision, added where it is new.

    Raises
    ------
    OptionsError
        Where the options do not fit the back end.
    """
    check_options(backend, options or {})
    return LanguageModel.objects.get_or_create(
        key=key, revision=revision, defaults={"backend": backend, "name": name, "options": dict(options or {})}
    )[0]


def report_backends() -> None:
    """Let a worker say what it can run, for pages of a web process that has none of it installed.

    Of the environment only the names of the variables that may hold keys are told.
    """
    kinds = {name: vars(available(name)) for name in KINDS}
    keys = sorted(name for name in os.environ if name.endswith("_API_KEY"))
    cache.set(REPORT_KEY, {"kinds": kinds, "keys": keys}, timeout=None)
