"""Every task has a queue by name, and nothing is routed that does not exist."""

from config.celery import app


def test_each_task_of_ours_is_routed_and_each_route_leads_to_a_task() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours == set(app.conf.task_routes)


def test_queues_are_the_four_that_workers_serve() -> None:
    assert {route["queue"] for route in app.conf.task_routes.values()} == {"query", "gpu", "cpu", "io"}
