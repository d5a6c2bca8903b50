#!/usr/bin/env python
"""Django's command line for a check-out; an installed Kappagraph offers the same names under `kappagraph`."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    # platform/ is a source root, never a package: see docs/architecture.md.
    sys.path.insert(1, str(Path(__file__).resolve().parent / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from kappagraph.demo.surroundings import join

    join(os.environ)  # beside a running `make demo`, commands use its servers
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
