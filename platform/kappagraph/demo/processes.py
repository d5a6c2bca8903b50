"""Children that are started, watched, restarted after a crash and ended together."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kappagraph.demo.errors import DemoError

LOG_LIMIT = 5 * 2**20
PAUSE = 0.05


@dataclass
class Service:
    """What to run, how to tell that it serves, and how to ask it to stop."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    is_ready: Callable[[], bool] = lambda: True
    prepare: Callable[[], None] = lambda: None
    stop_signal: signal.Signals = signal.SIGTERM
    folder: Path | None = None  # its working directory
    foundation: bool = False  # other services rest on it
    seconds_to_start: float = 60
    seconds_to_stop: float = 20


@dataclass
class Child:
    """A service's present process, in a session of its own so that its whole group can be ended."""

    service: Service
    process: subprocess.Popen[bytes] | None = None
    started: float = field(default_factory=time.monotonic)

    def spawn(self) -> None:
        self.service.prepare()
        with _log(self.service.log) as log:
            self.process = subprocess.Popen(  # noqa: S603
                self.service.command,
                env=dict(self.service.environment),
                cwd=self.service.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started = time.monotonic()

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait_ready(self) -> None:
        """Return once the service answers; raise with the end of its log if it never does."""
        deadline = self.started + self.service.seconds_to_start
        while not self.service.is_ready():
            if not self.alive:
                raise DemoError(f"{self.service.name} ended at once.\n{self.last_words()}")
            if time.monotonic() > deadline:
                raise DemoError(
                    f"{self.service.name} did not answer within {self.service.seconds_to_start:.0f} s.\n"
                    f"{self.last_words()}"
                )
            time.sleep(PAUSE)

    def ask_to_stop(self) -> None:
        if self.process is not None and self.alive:
            self.process.send_signal(self.service.stop_signal)

    def end(self) -> None:
        """Wait for a stop that was asked for, then kill whatever is left of the group."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(self.service.seconds_to_stop)
        self.kill()

    @property
    def age(self) -> float:
        return time.monotonic() - self.started

    def how_it_ended(self) -> str:
        code = self.process.returncode if self.process else None
        if code is not None and code < 0:
            return f"was killed ({signal.Signals(-code).name})"
        return f"ended with status {code}"

    def kill(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def last_words(self, lines: int = 12) -> str:
        try:
            text = self.service.log.read_text(errors="replace")
        except OSError:
            return ""
        return "\n".join(f"  | {line}" for line in text.splitlines()[-lines:])


def stop_all(children: Sequence[Child]) -> None:
    """Stop whoever uses a service before the service itself."""
    for foundation in (False, True):
        tier = [child for child in children if child.service.foundation is foundation]
        for child in tier:
            child.ask_to_stop()
        for child in tier:
            child.end()


@contextlib.contextmanager
def _log(path: Path):  # type: ignore[no-untyped-def]
    if path.exists() and path.stat().st_size > LOG_LIMIT:
        path.replace(path.with_suffix(".old.log"))
    with path.open("ab") as file:
        yield file
