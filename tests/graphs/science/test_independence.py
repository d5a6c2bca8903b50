import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
import {module}
heavy = {{"django", "numba", "scipy", "pandas", "networkx", "celery"}}
print(sorted(heavy & {{name.split(".")[0] for name in sys.modules}}))
"""


@pytest.mark.parametrize("module", ["graphs.science", "graphs.science.inference", "graphs.science.null_comparison"])
def test_the_science_imports_numpy_and_nothing_heavier(module: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(module=module)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip() == "[]"
