"""Who a session belongs to."""

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from accounts.backends import AuthenticationBackend
from accounts.models import User
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_session_finds_its_account_with_everything_in_one_statement() -> None:
    user = make_user(username="rita", first_name="Rita", email="rita@example.org")
    with CaptureQueriesContext(
        connection,
    ) as captured:
        found = AuthenticationBackend().get_user(user.pk)
    assert len(captured) == 1
    assert found is not None
    stored = User.objects.get(pk=user.pk)
    assert model_to_dict(found) == model_to_dict(stored)
    assert (found.public_id, found.password, found.date_joined) == (
        stored.public_id,
        stored.password,
        stored.date_joined,
    )
    assert not found._state.adding


def test_a_closed_or_unknown_account_is_nobodys() -> None:
    closed = make_user(username="gone", is_active=False)
    assert AuthenticationBackend().get_user(closed.pk) is None
    assert AuthenticationBackend().get_user(closed.pk + 1) is None
