from celery import shared_task

from leases.sweeper import sweep as sweep_all


@shared_task(name="leases.sweep")
def sweep() -> None:
    sweep_all()
