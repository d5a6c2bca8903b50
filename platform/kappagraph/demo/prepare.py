"""The one Django process before the others: migrates, collects static files, loads the sample.

The last line of its output is the sample as JSON: the administrator's sign-in and the reviewers' links.
"""

import io
import json
import os
import sys
from pathlib import Path

import django
from django.core.management import call_command, get_commands

from kappagraph.demo.preparation import UNREACHABLE


def main(static_stamp: Path) -> None:
    django.setup()
    from django.db import connection
    from django.db.utils import OperationalError

    try:
        connection.ensure_connection()
    except OperationalError as error:
        sys.exit(_complain(error))
    call_command("migrate", interactive=False, verbosity=1, stdout=sys.stderr)
    _collect_static(static_stamp)
    _ensure_administrator(os.environ["KAPPAGRAPH_ADMIN_PASSWORD"])
    sample = io.StringIO()
    if "load_sample" in get_commands():
        call_command("load_sample", "--json", stdout=sample)
    print(json.dumps(json.loads(sample.getvalue() or "{}")))


def _complain(error: Exception) -> int:
    sys.stderr.write(f"{error}\n")
    return UNREACHABLE


def _ensure_administrator(password: str) -> None:
    """Create the account once; a password changed later stays."""
    from accounts.models import User

    if not User.objects.filter(username="admin").exists():
        User.objects.create_superuser(username="admin", email="admin@example.org", password=password)


def _collect_static(stamp: Path) -> None:
    """Collect only when a file's size or time changed: hashing and compressing takes seconds."""
    from django.contrib.staticfiles.finders import get_finders

    found = sorted(
        f"{name} {stat.st_size} {stat.st_mtime_ns}"
        for finder in get_finders()
        for name, storage in finder.list([])
        if (stat := os.stat(storage.path(name)))
    )
    present = "\n".join(found)
    if stamp.exists() and stamp.read_text() == present:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=1, stdout=sys.stderr)
    stamp.write_text(present)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
