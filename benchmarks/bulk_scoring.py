"""How many texts a second are scored from database to database, and what bounds it.

    python benchmarks/bulk_scoring.py                       # 20,000 texts by one process, stage by stage
    python benchmarks/bulk_scoring.py --texts 100000 --workers 2   # through Celery and a broker as well

Starts the demo's own PostgreSQL and Valkey on a folder of its own. The texts are distinct abstracts of about 170 words,
shuffled from the sentences of the sample corpus. One process works through all jobs, one BLAS thread, kernel warm. The
rate a core is that of its CPU time and its database back end's together, which a busy machine does not change; the wall
time is beside it. With `--workers` as many Celery workers then score the same texts under other settings, from the
first message to the last score. With `--check` the exit status tells whether the goal is met.
"""

import argparse
import csv
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The project instead of this folder, whose files may be called like libraries.
sys.path[0:1] = [str(ROOT), str(ROOT / "platform")]

SAMPLE = ROOT / "platform" / "corpora" / "sample" / "mineral_processing.csv"
SENTENCES = 8
GOAL = 500.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with servers() as folder:
        keys = make_texts(arguments.texts)
        rate = score_here(keys)
        if arguments.workers:
            score_by_workers(keys, arguments.workers, folder)
    return int(arguments.check and rate < GOAL)


@contextmanager
def servers() -> Iterator[Path]:
    """A migrated database and a broker, gone afterwards."""
    from kappagraph.demo import keeper

    # Directly under /tmp: a socket's path may not be long.
    folder = Path(tempfile.mkdtemp(prefix="kappagraph-bulk-", dir="/tmp"))
    running = keeper.Keeper(folder)
    os.environ |= {
        "DATABASE_URL": keeper.postgres(folder).url(),
        "REDIS_URL": keeper.valkey(folder, "main").url(),
        "SECRET_KEY": "only for this run",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
    }
    try:
        running.start("postgres")
        running.start("valkey main")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield folder
    finally:
        running.stop()
        shutil.rmtree(folder, ignore_errors=True)


def make_texts(number: int) -> list[int]:
    from corpora.models import Text

    with SAMPLE.open(encoding="utf-8", newline="") as lines:
        sentences = [each for row in csv.DictReader(lines) for each in row["Abstract"].split(". ")]
    chooser = random.Random(0)  # noqa: S311
    bodies = [". ".join(chooser.sample(sentences, SENTENCES)) for _ in range(number)]
    for start in range(0, number, 5000):
        Text.objects.intern(bodies[start : start + 5000])
    return list(Text.objects.order_by("pk").values_list("pk", flat=True))


def score_here(keys: list[int]) -> float:
    """Plan, then work through the jobs as a worker would; texts a second."""
    from django.db import connection

    from graphs import services
    from graphs.models import Score, ScoringJob
    from graphs.science import engine
    from graphs.science.scoring import score_text
    from leases.services import claim

    settings = services.ensure_default_settings()
    engine.prefer_kernel()
    score_text("Slow rivers carry fine sand.")
    began = time.perf_counter()
    jobs = services.plan_scoring(text_ids=keys, settings=settings)
    planned = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (back_end,) = cursor.fetchone()
    own, other = own_seconds(), process_seconds(back_end)
    for job in jobs:
        lease = claim(model=ScoringJob, pk=job.pk)
        assert lease
        services.run_scoring(lease=lease)
    wall = time.perf_counter() - planned
    assert Score.objects.filter(settings=settings).count() == len(keys)
    own, other = own_seconds() - own, process_seconds(back_end) - other
    rate = len(keys) / (own + other)
    print(f"{len(keys)} texts in {len(jobs)} jobs; planned in {planned - began:.2f} s")
    measured = {"a core, all together": own + other, "wall time": wall, "worker's CPU time": own}
    measured["back end's CPU time"] = max(other, 1e-9)
    for name, seconds in measured.items():
        print(f"{name:<26} {len(keys) / seconds:8.0f} texts/s   {1e3 * seconds / len(keys):.3f} ms a text")
    print("parts, each on its own, CPU time of the worker:")
    for name, seconds in stages(keys[:2000]).items():
        print(f"  {name:<24} {1 / seconds:8.0f} texts/s   {1e3 * seconds:.3f} ms")
    return rate


def stages(keys: list[int]) -> dict[str, float]:
    """Seconds a text of each part of the work, timed on its own; nothing is stored."""
    from django.db import transaction

    from corpora.models import Text
    from graphs import services
    from graphs.models import Score
    from graphs.science.construction import build_graph
    from graphs.science.metrics import compute_metrics
    from graphs.science.tokenisation import tokenise
    from graphs.services import scoring

    found: dict[str, float] = {}

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        began = own_seconds()
        yield
        found[name] = max(own_seconds() - began, 1e-6) / len(keys)

    settings = services.ensure_default_settings()
    graph_settings = settings.as_graph_settings()
    with stage("reading"):
        bodies = list(Text.objects.filter(pk__in=keys).values_list("body", flat=True))
    with stage("tokenising"):
        tokens = [tokenise(body) for body in bodies]
    words = [[each for each in text if each not in graph_settings.stopwords] for text in tokens]
    with stage("building the graph"):
        graphs = [build_graph(each, graph_settings) for each in words]
    with stage("metrics"):
        for graph in graphs:
            compute_metrics(graph)
    scores, _ = scoring._score(keys, settings)
    with transaction.atomic():
        Score.objects.filter(text__in=keys, settings=settings).delete()
        with stage("storing"):
            scoring._store(scores, None)
        transaction.set_rollback(True)
    return found


def score_by_workers(keys: list[int], workers: int, folder: Path) -> None:
    from graphs import services
    from graphs.models import Score, ScoringJob
    from graphs.science.settings import GraphSettings
    from graphs.tasks import start_scoring

    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "cpu", "--loglevel=WARNING"]
    with (folder / "worker.log").open("wb") as log:
        running = subprocess.Popen([*command, f"--concurrency={workers}"], cwd=ROOT, stdout=log, stderr=log)
    try:
        settings = services.ensure_settings(settings=GraphSettings(window=4))
        start_scoring(text_ids=keys[:2000], settings=settings)
        wait_for_jobs(ScoringJob)
        began = time.perf_counter()
        start_scoring(text_ids=keys, settings=settings)
        sent = time.perf_counter() - began
        wait_for_jobs(ScoringJob)
        rate = (len(keys) - 2000) / (time.perf_counter() - began)
        assert Score.objects.filter(settings=settings).count() == len(keys)
        print(f"{workers} Celery workers         {rate:8.0f} texts/s   planned and sent in {sent:.2f} s")
    finally:
        running.terminate()
        running.wait()


def wait_for_jobs(model: type) -> None:
    while model.objects.active().exists():
        time.sleep(0.1)


def own_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def process_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
