"""Random secrets of one installation, made once and readable by nobody else."""

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path


def _token() -> str:
    return secrets.token_urlsafe(48)


@dataclass(frozen=True)
class Credentials:
    secret_key: str = field(default_factory=_token)
    database_password: str = field(default_factory=_token)
    superuser_password: str = field(default_factory=_token)
    admin_password: str = field(default_factory=lambda: secrets.token_urlsafe(9))


def credentials(state: Path) -> Credentials:
    """Read the secrets kept in `state`, or make them."""
    file = state / "credentials.json"
    try:
        return Credentials(**json.loads(file.read_text()))
    except FileNotFoundError:
        made = Credentials()
    # Written aside and renamed, so that an interrupted start leaves no half a file.
    draft = file.with_suffix(".tmp")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        json.dump(asdict(made), stream, indent=1)
    draft.replace(file)
    return made
