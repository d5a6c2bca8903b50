from collections.abc import Iterator

import pytest

from graphs.science import engine


@pytest.fixture(scope="module", params=["numpy", "kernel"])
def either_engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a module's tests twice: with NumPy alone and with the compiled kernel."""
    chosen = None
    if request.param == "kernel":
        pytest.importorskip("numba")
        chosen = engine.load_kernel()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("kernel", "load_kernel", "loaded_kernel"):
            patch.setattr(engine, name, lambda *_: chosen)
        yield
