"""What a start does before the clock starts."""

import gc

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
