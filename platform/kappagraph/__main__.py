"""``python -m kappagraph``."""

from kappagraph.cli import main

raise SystemExit(main())
