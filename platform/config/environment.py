"""Typed reading of environment variables that fails loudly, naming the variable and the remedy."""

import os
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}
# The server keeps the statements of a rating (evaluation/prepared.py) with one plan whatever their parameters are: they
# find their rows by index in any study, and to plan one takes longer than to run it.
KEPT_STATEMENTS = {"prepare_threshold": 0, "options": "-c plan_cache_mode=force_generic_plan"}


def text(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set the environment variable {name}.")
    return value


def flag(name: str, default: bool = False) -> bool:
    value = os.environ.get(name, "1" if default else "0").strip().lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0.")


def whole_number(name: str, default: int) -> int:
    value = os.environ.get(name, str(default))
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}; write a whole number.") from None


def one_of(name: str, choices: Iterable[str], default: str) -> str:
    value = os.environ.get(name, default)
    if value not in (known := list(choices)):
        raise ImproperlyConfigured(f"{name} is {value!r}; write one of {', '.join(known)}.")
    return value


def listed(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def database(name: str, default: str) -> dict[str, Any]:
    """The Django database settings for a URL; a socket folder may stand in the query: `?host=/run/postgresql`."""
    url = text(name, default)
    settings: dict[str, Any] = {**dj_database_url.parse(url)}
    options = dict(settings.get("OPTIONS") or {})
    if "host" in options:
        settings["HOST"] = options.pop("host")
    settings["OPTIONS"] = options | ({} if flag("DATABASE_POOLER") else KEPT_STATEMENTS)
    if settings["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured(f"{name} must begin with postgresql://: Kappagraph needs PostgreSQL with pgvector.")
    return settings


def cache_url(broker_url: str, *, database: int) -> str:
    """The redis-py URL for a Celery broker URL, which names Unix sockets in a way of its own."""
    parts = urlsplit(broker_url)
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}?db={database}"
    if parts.scheme in {"redis", "rediss"}:
        kept = parse_qs(parts.query)
        query = "&".join(f"{key}={value[0]}" for key, value in kept.items())
        return f"{parts.scheme}://{parts.netloc}/{database}" + (f"?{query}" if query else "")
    raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or redis+socket://.")
