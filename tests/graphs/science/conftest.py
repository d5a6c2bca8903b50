from collections.abc import Iterator

import pytest

from graphs.science import engine, null_draws


@pytest.fixture(scope="module", params=["numpy", "kernel"])
def either_engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a module's tests twice: with NumPy alone and with the compiled kernel."""
    chosen = None
    if request.param == "kernel":
        pytest.importorskip("numba")
        chosen = engine.load_kernel()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(null_draws, "WITHOUT_KERNEL", 0)
        for name in ("kernel", "load_kernel", "loaded_kernel"):
            patch.setattr(engine, name, lambda *_: chosen)
        yield
