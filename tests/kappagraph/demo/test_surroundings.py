import stat

from kappagraph.demo.surroundings import NAMES, join, publish, withdraw

GIVEN = {name: f"value of {name}" for name in NAMES}


def test_a_command_joins_the_running_demo(tmp_path):
    publish(tmp_path, GIVEN | {"PATH": "/bin"})
    environ = {"STATE_DIR": str(tmp_path), "SITE_URL": "https://kept.example"}
    join(environ)
    assert environ == GIVEN | {"STATE_DIR": str(tmp_path), "SITE_URL": "https://kept.example"}
    assert stat.S_IMODE((tmp_path / "environment").stat().st_mode) == 0o600


def test_a_named_database_wins(tmp_path):
    publish(tmp_path, GIVEN)
    environ = {"STATE_DIR": str(tmp_path), "DATABASE_URL": "postgresql://elsewhere/db"}
    join(environ)
    assert "SECRET_KEY" not in environ


def test_without_a_demo_nothing_changes(tmp_path):
    publish(tmp_path, GIVEN)
    withdraw(tmp_path)
    environ = {"STATE_DIR": str(tmp_path)}
    join(environ)
    assert environ == {"STATE_DIR": str(tmp_path)}
