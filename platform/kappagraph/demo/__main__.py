"""`python -m kappagraph.demo`, which `make demo` runs once everything is installed."""

import sys

from kappagraph.demo.main import main

sys.exit(main())
