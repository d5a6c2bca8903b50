"""The Celery application: queues `query`, `gpu`, `cpu` and `io` (docs/architecture.md, Growth)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("kappagraph")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["leases", "corpora", "generation", "graphs", "evaluation"])
