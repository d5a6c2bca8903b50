import pytest

from corpora.models import Embedding
from generation.models import Batch, Run
from generation.services import (
    BatchNotReady,
    cancel_batch,
    generate_group,
    launch_batch,
    pause_batch,
    plan_batch,
    resume_batch,
    retry_failures,
)
from leases.models import State
from leases.services import LeaseLost, assert_held, claim_many, fail

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(spec):
    return plan_batch(spec=spec())


def runs(batch):
    return Run.objects.filter(cell__batch=batch)


def test_launching_happens_once(batch):
    assert launch_batch(batch=batch) is True
    assert (batch.state, batch.launched_at is not None) == (Batch.State.LAUNCHED, True)
    assert launch_batch(batch=batch) is False


def test_a_corpus_without_all_its_vectors_is_not_launched(batch):
    Embedding.objects.first().delete()
    with pytest.raises(BatchNotReady, match="1 document of Tailings has no vector under WordLlama 256 yet"):
        launch_batch(batch=batch)
    batch.refresh_from_db()
    assert batch.state == Batch.State.DRAFT


def test_nothing_of_a_draft_or_a_paused_batch_is_generated(batch):
    cell = batch.cells.first()
    assert generate_group(cell_id=cell.pk) is False
    launch_batch(batch=batch)
    assert pause_batch(batch=batch) is True
    assert generate_group(cell_id=cell.pk) is False
    assert set(runs(batch).values_list("state", flat=True)) == {State.QUEUED}
    assert resume_batch(batch=batch) is True
    generate_group(cell_id=cell.pk)
    assert runs(batch).filter(state=State.DONE).count() == 3


def test_cancelling_takes_the_leases_and_keeps_what_is_written(batch):
    launch_batch(batch=batch)
    first, second = batch.cells.all()[:2]
    generate_group(cell_id=first.pk)
    held = claim_many(model=Run, pks=list(second.runs.values_list("pk", flat=True)))[0]
    assert cancel_batch(batch=batch) is True
    with pytest.raises(LeaseLost):
        assert_held(lease=held)
    assert runs(batch).filter(state=State.DONE).count() == 3
    assert runs(batch).filter(state=State.CANCELLED).count() == 9
    assert cancel_batch(batch=batch) is False
    assert resume_batch(batch=batch) is False


def test_failures_alone_are_tried_again(batch):
    launch_batch(batch=batch)
    first, second = claim_many(model=Run, pks=list(runs(batch).values_list("pk", flat=True)[:2]))
    fail(lease=first, error="no memory")
    assert retry_failures(batch=batch) == 1
    again = Run.objects.get(pk=first.pk)
    assert (again.state, again.attempts, again.error) == (State.QUEUED, 0, "")
    assert Run.objects.get(pk=second.pk).state == State.RUNNING


def test_failures_of_a_cancelled_batch_stay(batch):
    launch_batch(batch=batch)
    (lease,) = claim_many(model=Run, pks=list(runs(batch).values_list("pk", flat=True)[:1]))
    fail(lease=lease, error="no memory")
    cancel_batch(batch=batch)
    assert retry_failures(batch=batch) == 0
