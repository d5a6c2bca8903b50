"""Statements that the database keeps."""

import pytest
from django.db import connection
from django.db.utils import DataError
from django.test.utils import CaptureQueriesContext

from evaluation.prepared import prepared_cursor

pytestmark = pytest.mark.django_db


def test_parameters_by_name_and_by_place() -> None:
    with prepared_cursor() as cursor:
        cursor.execute("SELECT %(b)s::int, %(a)s::text, %(b)s::int + 1, 7 %% 4", {"a": "x%s", "b": 2})
        assert cursor.fetchone() == (2, "x%s", 3, 3)
        cursor.execute("SELECT %s::int, %s::text", [1, None])
        assert cursor.fetchone() == (1, None)
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_the_server_keeps_the_statement_and_its_plan() -> None:
    statement = "SELECT %(n)s::int AS kept_by_the_server"
    with prepared_cursor() as cursor:
        for number in range(3):
            cursor.execute(statement, {"n": number})
            assert cursor.fetchone() == (number,)
        cursor.execute(
            "SELECT count(*), max(generic_plans), max(custom_plans) FROM pg_prepared_statements WHERE statement = %s",
            ["SELECT $1::int AS kept_by_the_server"],
        )
        assert cursor.fetchone() == (1, 3, 0)


def test_they_are_logged_with_their_values_and_fail_as_others_do() -> None:
    with CaptureQueriesContext(connection) as captured, prepared_cursor() as cursor:
        cursor.execute("SELECT %(n)s::int", {"n": 5})
    assert [query["sql"] for query in captured] == ["SELECT 5::int"]
    with pytest.raises(DataError), prepared_cursor() as cursor:
        cursor.execute("SELECT 1 / %s::int", [0])
