"""The installed version."""

from __future__ import annotations

__all__ = ["version"]


def version() -> str:
    """Version of the installed distribution; "unknown" where the code runs without being installed."""
    from importlib import metadata

    try:
        return metadata.version("kappagraph")
    except metadata.PackageNotFoundError:
        return "unknown"
