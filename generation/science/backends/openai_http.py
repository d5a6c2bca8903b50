"""Any server that speaks OpenAI's chat completions: vLLM, TGI, llama.cpp, transformers serve, hosted ones.

A server promises less than a model in this process: some ignore the seed or even the temperature without saying so. So
before the first text above temperature 0 the server is asked twice for a few words at temperature 1 under two seeds; if
they are the same, every text from it says `temperature_honoured: false`. Bitwise repeats are never promised.
"""

import logging
import os
import random
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import httpx

from generation.science.backends.options import read_text, read_whole_number, refuse_unknown
from generation.science.backends.protocol import Failure, OptionsError, Outcome, Output, Request
from generation.science.backends.versions import library_versions
from generation.science.messages import Message

__all__ = ["OpenAIBackend"]

logger = logging.getLogger(__name__)
# Only such variables may be named, so that no other secret of the worker can be sent to a server.
KEY_VARIABLE = re.compile(r"^[A-Z][A-Z0-9_]*_API_KEY$")
TRANSIENT_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LONGEST_WAIT = 60.0
PROBE = (Message("user", "Describe a landscape in one unusual sentence."),)


class OpenAIBackend:
    """A model behind HTTP.

    Options
    -------
    base_url
        Up to and with the version, e.g. http://gpu-server:8000/v1.
    model
        As the server names it.
    api_key_env
        The environment variable of the worker that holds the key; it must end in _API_KEY. The key itself is stored
        nowhere.
    token_limit_field
        max_tokens (default) or max_completion_tokens, which newer hosted models want.
    timeout, attempts, concurrency, group_size
        Seconds to wait for an answer (300), tries of a request (5), requests at once (4), runs claimed at once (8).
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key_env: str = "",
        token_limit_field: str = "max_tokens",  # noqa: S107  (a field's name, no secret)
        timeout: float = 300,
        attempts: int = 5,
        concurrency: int = 4,
        group_size: int = 8,
        first_wait: float = 1.0,
    ) -> None:
        self.base_url, self.model, self.api_key_env = base_url.rstrip("/"), model, api_key_env
        self.token_limit_field, self.timeout, self.attempts = token_limit_field, timeout, attempts
        self.concurrency, self.group_size, self.first_wait = concurrency, group_size, first_wait

    @classmethod
    def from_options(cls, options: Mapping[str, Any], *, cache: Path) -> Self:
        numbers = {"timeout": (300, 3600), "attempts": (5, 20), "concurrency": (4, 64), "group_size": (8, 256)}
        refuse_unknown(options, ["base_url", "model", "api_key_env", "token_limit_field", *numbers])
        base_url = read_text(options, "base_url")
        try:
            url = httpx.URL(base_url)
        except httpx.InvalidURL as error:
            raise OptionsError(f"option base_url is no address: {error}") from None
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
            raise OptionsError("option base_url must begin with http:// or https:// and hold no password")
        api_key_env = read_text(options, "api_key_env", "")
        if api_key_env and not KEY_VARIABLE.match(api_key_env):
            raise OptionsError("option api_key_env names an environment variable that ends in _API_KEY, not a key")
        field = read_text(options, "token_limit_field", "max_tokens")
        if field not in {"max_tokens", "max_completion_tokens"}:
            raise OptionsError("option token_limit_field must be max_tokens or max_completion_tokens")
        return cls(
            base_url=base_url,
            model=read_text(options, "model"),
            api_key_env=api_key_env,
            token_limit_field=field,
            **{
                name: read_whole_number(options, name, default, least=1, most=most)
                for name, (default, most) in numbers.items()
            },
        )

    def describe(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "base_url": self.base_url,
            "sampling": "by the server",
            "versions": library_versions("httpx"),
        }

    def generate(self, request: Request, seeds: Sequence[int]) -> list[Outcome]:
        details: dict[str, Any] = {}
        if request.temperature > 0:
            details["temperature_honoured"] = self.temperature_is_honoured
        with ThreadPoolExecutor(self.concurrency, thread_name_prefix="openai") as pool:
            return list(pool.map(lambda seed: self._complete(request, seed, details), seeds))

    @cached_property
    def client(self) -> httpx.Client:
        key = os.environ.get(self.api_key_env, "") if self.api_key_env else ""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        timeout = httpx.Timeout(self.timeout, connect=10)
        return httpx.Client(base_url=self.base_url, headers=headers, timeout=timeout)

    @cached_property
    def temperature_is_honoured(self) -> bool | None:
        """Whether two seeds at temperature 1 give two texts; None when the server gave no answer to tell by."""
        request = Request(PROBE, query="", sources=(), temperature=1.0, max_new_tokens=24)
        first, second = (self._complete(request, seed, {}) for seed in (1, 2))
        if isinstance(first, Failure) or isinstance(second, Failure):
            return None
        is_honoured = first.text != second.text
        if not is_honoured:
            logger.warning("%s ignores temperature or seed: two seeds at temperature 1 gave one text", self.base_url)
        return is_honoured

    def _complete(self, request: Request, seed: int, details: Mapping[str, Any]) -> Outcome:
        body = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "temperature": request.temperature,
            "seed": seed,
            self.token_limit_field: request.max_new_tokens,
            "stream": False,
        }
        started = time.perf_counter()
        error = ""
        for attempt in range(self.attempts):
            try:
                response = self.client.post("/chat/completions", json=body)
            except httpx.TransportError as problem:
                error = f"{self.base_url}: {type(problem).__name__}: {problem}"
                asked_for = None
            else:
                if response.is_success:
                    return _read_answer(response, time.perf_counter() - started, details)
                error = f"{self.base_url} answered {response.status_code}: {_excerpt(response.text)}"
                if response.status_code not in TRANSIENT_STATUS:
                    return Failure(error, is_transient=False)
                asked_for = response.headers.get("Retry-After")
            if attempt + 1 < self.attempts:
                time.sleep(self._wait(attempt, asked_for))
        return Failure(f"{error} ({self.attempts} tries)", is_transient=True)

    def _wait(self, attempt: int, asked_for: str | None) -> float:
        """Seconds before the next try: what the server asks for, else doubling with a random part."""
        if asked_for is not None and asked_for.isdigit():
            return min(float(asked_for), LONGEST_WAIT)
        doubled: float = self.first_wait * 2**attempt
        return min(doubled * random.uniform(0.5, 1.0), LONGEST_WAIT)  # noqa: S311


def _read_answer(response: httpx.Response, seconds: float, details: Mapping[str, Any]) -> Outcome:
    try:
        answer = response.json()
        choice = answer["choices"][0]
        text = choice["message"]["content"]
        usage = answer.get("usage") or {}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return Failure(f"the server's answer is no chat completion: {_excerpt(response.text)}", is_transient=False)
    if not isinstance(text, str):
        return Failure(f"the server's answer holds no text: {_excerpt(response.text)}", is_transient=False)
    served = {"served_model": answer.get("model"), "system_fingerprint": answer.get("system_fingerprint")}
    return Output(
        text=text,
        finish_reason=str(choice.get("finish_reason") or "unknown"),
        prompt_tokens=usage.get("prompt_tokens"),
        tokens=usage.get("completion_tokens"),
        seconds=seconds,
        details={**details, **{name: value for name, value in served.items() if value}},
    )


def _excerpt(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 300 else text[:300] + " …"
