"""How gunicorn serves the site, wherever it runs: `gunicorn -c python:config.gunicorn config.wsgi:application`."""

import gc
import os
import re
from typing import Any

from gunicorn.glogging import Logger

worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
# Longer than a proxy keeps an idle connection, lest it send a rating into one that is just being closed.
keepalive = 150
accesslog = "-"
# A page scores a handful of texts, and NumPy takes milliseconds for that; compiling the kernel would take a reader's
# request close to a minute. Workers, which score many, have it.
raw_env = [f"KAPPAGRAPH_KERNEL={os.environ.get('KAPPAGRAPH_KERNEL', 'never')}"]
# It would lie in the user's home, shared by all installations.
control_socket_disable = True

# A personal link is a key: whoever reads the log must not be able to use it.
KEYS = re.compile(r"(/(?:join|reminders|reset/key)/)[^/ ?\"]{12,}")


class QuietLogger(Logger):  # type: ignore[misc]
    """Writes of a link's key that there was one."""

    def atoms(self, *args: Any) -> dict[str, Any]:
        atoms: dict[str, Any] = super().atoms(*args)
        for name in ("r", "U", "f"):
            atoms[name] = KEYS.sub(r"\1…", atoms[name] or "-")
        return atoms


logger_class = QuietLogger


def post_worker_init(worker: Any) -> None:
    """What is loaded by now stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
