"""The servers that every other database and queue test rests on."""

import pytest
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
def test_database_has_vectors_and_an_ordinary_role():
    with connection.cursor() as cursor:
        cursor.execute("SELECT '[1,2]'::vector <-> '[4,6]'::vector")
        assert cursor.fetchone() == (5.0,)
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False,)


@pytest.mark.django_db
def test_cache_keeps_a_value():
    cache.set("coefficient", "kappa")
    assert cache.get("coefficient") == "kappa"


def test_worker_answers_for_all_queues(celery_worker_process):
    from config.celery import app

    (queues,) = app.control.inspect(timeout=5).active_queues().values()
    assert {queue["name"] for queue in queues} == {"query", "gpu", "cpu", "io"}
