"""The versions of the libraries that wrote a text."""

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["library_versions"]


def library_versions(*names: str) -> dict[str, str]:
    """Installed versions by distribution name, Python's first; what is not installed is left out."""
    found = {"python": platform.python_version()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
