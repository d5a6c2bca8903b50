"""Texts from JSON lines: one object a line."""

import json
from collections.abc import Iterator

from kappagraph.text_source import InputError, InputText, TextSource, identifier, required, text_key

__all__ = ["read_json_lines"]


def read_json_lines(file: str, name: str, content: str, source: TextSource) -> Iterator[InputText]:
    """Yield the text of each line.

    Raises
    ------
    InputError
        If a line is no JSON object with a text, and an id where one is asked for.
    """
    # Only a line feed ends a line: str.splitlines would also break at separators inside a JSON string.
    for row, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{name}, row {row}"
        try:
            entry = json.loads(line)
        except RecursionError:
            raise InputError(f"{place}: the JSON is nested too deeply; write one flat object a line") from None
        except ValueError as error:
            raise InputError(f"{place}: no valid JSON ({error}); write one object a line") from None
        if not isinstance(entry, dict):
            raise InputError(f"{place}: no JSON object; write one object a line")
        key = text_key(source, list(entry), name)
        text = required(entry, key, place)
        if not isinstance(text, str):
            raise InputError(f"{place}: {key!r} holds no text; give a string")
        yield InputText(identifier(source, entry, file, row, place), text, place)
