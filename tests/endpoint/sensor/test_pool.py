"""The threads of the sensors."""

import threading
import time

import pytest

from dorosim.endpoint.sensor.pool import ThreadPool


def test_the_one_that_asks_works_too_and_the_order_stays():
    workers = set()

    def square(number: int) -> int:
        workers.add(threading.current_thread().name)
        time.sleep(0.01)
        return number * number

    pool = ThreadPool(2)
    assert pool.map(square, range(12)) == [number * number for number in range(12)]
    pool.close()
    assert len(workers) == 2
    assert threading.current_thread().name in workers


def test_each_item_is_worked_on_once_whoever_does_it():
    done = []
    pool = ThreadPool(3)
    assert pool.map(lambda number: done.append(number) or -number, range(1000)) == [-number for number in range(1000)]
    pool.close()
    assert sorted(done) == list(range(1000))


@pytest.mark.parametrize("thread", ["caller", "helper"])
def test_an_error_of_any_thread_comes_to_the_one_that_asks(thread):
    caller, both = threading.current_thread(), threading.Barrier(2)

    def work(_: int) -> None:
        both.wait(10.0)
        if (threading.current_thread() is caller) == (thread == "caller"):
            raise ValueError(thread)

    pool = ThreadPool(2)
    with pytest.raises(ValueError, match=thread):
        pool.map(work, range(2))
    pool.close()
