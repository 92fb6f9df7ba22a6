"""The threads of the sensors."""

import threading
import time

from dorosim.endpoint.pool import ThreadPool


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
