"""The shape of the house: what lies at the top, the source root that is no package, and arrows that point down."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {
    "CHANGELOG.md", "Dockerfile", "LICENSE", "Makefile", "README.md", "benchmarks", "docker-compose.yml", "docs",
    "evaluation", "generation", "graphs", "manage.py", "platform", "pyproject.toml", "templates", "tests",
}  # fmt: skip
# An app's models may point at apps of its own storey or below.
STOREYS = {"accounts": 0, "leases": 0, "corpora": 1, "generation": 2, "graphs": 3, "evaluation": 4}


def tracked() -> list[str]:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git check-out")
    return listing.stdout.splitlines()


def test_the_top_level_is_as_planned() -> None:
    top = {path.split("/")[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} == TOP_LEVEL


def test_platform_is_a_source_root_and_not_a_package() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()


def test_the_standard_librarys_platform_wins_in_a_process_started_at_the_root() -> None:
    code = "import platform; print(platform.system()); import celery, redis"
    child = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert child.stdout.strip() in {"Linux", "Darwin", "Windows"}


def test_foreign_keys_point_down() -> None:
    upward = [
        f"{model.__name__}.{field.name} → {field.related_model.__name__}"
        for model in apps.get_models()
        if model._meta.app_label in STOREYS
        for field in model._meta.get_fields()
        if field.concrete and field.is_relation and field.related_model._meta.app_label in STOREYS
        if STOREYS[field.related_model._meta.app_label] > STOREYS[model._meta.app_label]
    ]
    assert upward == []


def test_pages_keep_no_models() -> None:
    assert [m for m in apps.get_models() if m._meta.app_label in {"rating", "studio", "config", "api"}] == []


@pytest.mark.parametrize("module", ["evaluation.science", "graphs.science", "generation.science"])
def test_science_leaves_django_alone(module: str) -> None:
    code = (
        f"import sys, pkgutil, importlib; package = importlib.import_module({module!r})\n"
        "for m in pkgutil.walk_packages(package.__path__, package.__name__ + '.'): importlib.import_module(m.name)\n"
        "sys.exit(sum(name.split('.')[0] in {'django', 'celery'} for name in sys.modules))"
    )
    path = f"{ROOT}:{ROOT / 'platform'}"
    child = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
