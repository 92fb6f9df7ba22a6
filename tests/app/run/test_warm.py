"""What a start does before the clock starts."""

import gc
import subprocess
import sys

import pytest

from dorosim.app.run.kernel_warmup import uncollected


def test_the_collector_rests_while_a_program_starts_and_is_as_it_was_afterwards():
    def start() -> None:
        with uncollected():
            assert not gc.isenabled()
            raise KeyError

    assert gc.isenabled()
    with pytest.raises(KeyError):
        start()
    assert gc.isenabled()
    gc.disable()
    try:
        with uncollected():
            gc.enable()
        assert gc.isenabled(), "who has started turns it on"
    finally:
        gc.enable()


def test_a_start_without_a_scenario_loads_nothing_of_openscenario_but_names_of_files():
    """Records and engine are a hundred modules, and a quarter of a warm start."""
    begins = "import sys; import dorosim.app.run.run, dorosim.app.run.session, dorosim.app.serve.host.run"
    shown = f"{begins}; print(*(name for name in sys.modules if name.startswith('dorosim.scenario.openscenario.')))"
    found = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True).stdout.split()
    loaded = {name.removeprefix("dorosim.scenario.openscenario.") for name in found}
    assert loaded == {"files", "version", "record", "record.table"}
