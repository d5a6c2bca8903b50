"""How gunicorn serves the site, wherever it runs: `gunicorn -c python:config.gunicorn config.wsgi:application`."""

import gc
import os
from typing import Any

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


def post_worker_init(worker: Any) -> None:
    """What is loaded by now stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
