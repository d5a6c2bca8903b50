"""Exports of a study: asked for by a researcher, written by whoever holds the lease."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import DatabaseError, transaction

from accounts.models import User
from evaluation.errors import AgreementHidden
from evaluation.models import Export, Study
from evaluation.reports.export.build import build_export
from evaluation.selectors.opening import require_opened
from leases.services import Lease, LeaseLost, claim, fail, finish, heartbeat, release

__all__ = ["claim_new_export", "request_export", "write_export"]

logger = logging.getLogger(__name__)

FOLDER = "exports"
BLOCK = 1024 * 1024


def request_export(*, study: Study, user: User | None, seed: int = 0, like: Export | None = None) -> Export:
    """Queue an export. With `like` it has the pseudonyms of that earlier one, otherwise new ones.

    Raises
    ------
    AgreementHidden
        Ratings are agreement to whoever computes it, so that there is no export while it is hidden.
    """
    if like is not None and like.study_id != study.pk:
        raise ValueError("pseudonyms are shared between exports of one study only")
    require_opened(study=study)
    salt = like.salt if like is not None else secrets.token_hex(32)
    return Export.objects.create(study=study, created_by=user, salt=salt, seed=seed)


def claim_new_export(*, study: Study, seed: int = 0, like: Export | None = None) -> Lease:
    """An export that the caller writes at once: no worker ever sees it waiting."""
    with transaction.atomic():
        export = request_export(study=study, user=None, seed=seed, like=like)
        lease = claim(model=Export, pk=export.pk)
    if lease is None:
        raise RuntimeError(f"export {export.pk} was taken before its transaction ended")
    return lease


def write_export(*, lease: Lease) -> None:
    """Write the zip beside its place, move it there in one step, and only then call the export done.

    The name holds the fencing token, so that a worker that comes back late never touches its successor's file.
    """
    export = Export.objects.select_related("study").get(pk=lease.pk)
    folder = Path(default_storage.path(FOLDER))
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in folder.glob(f".{export.public_id}-*.part"):
        abandoned.unlink(missing_ok=True)
    name = f"{export.public_id}-{lease.token}.zip"
    part, whole = folder / f".{name}.part", folder / name
    try:
        _write_and_finish(lease, export, part, whole)
    except LeaseLost:
        whole.unlink(missing_ok=True)
        logger.info("export %s: the lease was lost; its file is dropped", export.public_id)
    finally:
        part.unlink(missing_ok=True)


def _write_and_finish(lease: Lease, export: Export, part: Path, whole: Path) -> None:
    try:
        with heartbeat(lease):
            _write(export, part)
            sha256 = _sha256(part)
        part.replace(whole)
        finish(lease=lease, file=f"{FOLDER}/{whole.name}", sha256=sha256)
    except (LeaseLost, DatabaseError):
        # Without a database nothing can be said to the row: the lease runs out and the sweeper sends it again.
        raise
    except AgreementHidden as hidden:
        fail(lease=lease, error=str(hidden))
    except OSError as error:
        release(lease=lease, error=f"the file could not be written: {error.strerror}")
        logger.warning("export %s goes back to the queue", export.public_id, exc_info=True)
    except Exception:
        fail(lease=lease, error="the export could not be computed; the worker's log says why")
        logger.exception("export %s failed", export.public_id)


def _write(export: Export, path: Path) -> None:
    with path.open("wb") as stream:
        build_export(study=export.study, salt=export.salt, seed=export.seed, stream=stream)
        stream.flush()
        os.fsync(stream.fileno())


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
