"""Keeps children alive until told to stop, then leaves none behind."""

import select
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

from kappagraph.demo.console import say
from kappagraph.demo.errors import DemoError
from kappagraph.demo.processes import PAUSE, Child, Service, stop_all

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0
TRIES = 6  # in a row, before a service counts as broken
STABLE_SECONDS = 30.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """The person asked to stop: Ctrl-C, a termination signal, or a closed terminal."""


class Supervisor:
    """The children in their order of start; a later one may use an earlier one."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self.failures: dict[str, int] = {}

    def start(self, *services: Service) -> None:
        """Start `services` side by side and return once all of them serve."""
        begun = []
        for service in services:
            child = Child(service)
            self.children.append(child)
            begun.append(child)
            child.spawn()
        for child in begun:
            child.wait_ready()

    def watch(self) -> NoReturn:
        """Restart whatever ends, for ever; raise `Stop` or, for a service that cannot live, `DemoError`."""
        terminal = select.poll()
        terminal.register(sys.stdout.fileno(), 0)  # errors and hang-ups only
        while True:
            if terminal.poll(1000 * PAUSE * 4):
                raise Stop
            for child in self.children:
                if not child.alive:
                    self._restart(child)
                elif child.age > STABLE_SECONDS:
                    self.failures.pop(child.service.name, None)

    def stop(self) -> None:
        stop_all(self.children)

    def _restart(self, child: Child) -> None:
        name = child.service.name
        failures = self.failures[name] = self.failures.get(name, 0) + 1
        if failures > TRIES:
            raise DemoError(
                f"{name} ended {failures} times in a row; the end of {child.service.log}:\n{child.last_words()}"
            )
        say(f"  {name} {child.how_it_ended()}; starting it again")
        child.kill()  # the rest of its group
        time.sleep(min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE))
        child.spawn()
        try:
            child.wait_ready()
        except DemoError:
            child.kill()  # counted as one more failure on the next round
        else:
            say(f"  {name} serves again")


def stop_on_signals(raise_once: type[BaseException] = Stop) -> Callable[[], None]:
    """Turn the first signal into `Stop`; later ones do not disturb the stopping."""

    def ignore() -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def handle(number: int, frame: FrameType | None) -> None:
        ignore()
        raise raise_once

    for number in SIGNALS:
        signal.signal(number, handle)
    return ignore
