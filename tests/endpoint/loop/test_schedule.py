"""When streams send: rates, slow readers, runs that begin anew."""

from dorosim.endpoint.loop.schedule import Schedule, Standing, TurnCounter


def due(period, times):
    schedule = Schedule(period)
    return [time for time in times if schedule.take(time)]


def test_frames_are_due_at_the_rate_and_at_every_tick_without_one():
    times = list(range(0, 100, 10))
    assert due(0, times) == times
    assert due(20, times) == [0, 20, 40, 60, 80]
    assert due(25, times) == [0, 30, 50, 80]


def test_a_slow_reader_does_not_catch_up_and_a_reset_begins_anew():
    assert due(20, [0, 100, 110, 120]) == [0, 100, 120]
    assert due(20, [80, 100, 0, 10, 20]) == [80, 100, 0, 20]


def test_looking_whether_something_is_due_changes_nothing():
    schedule = Schedule(20)
    assert schedule.has_come(5)
    assert schedule.has_come(5)
    assert schedule.take(5)
    assert [schedule.has_come(time) for time in (5, 24, 25)] == [False, False, True]
    assert schedule.has_come(0)  # time went back


def test_turns_go_on_at_their_rate_while_simulated_time_stands():
    turns, moving_only = TurnCounter(20), TurnCounter(20, standing=False)
    running = [(time, 0) for time in range(0, 60, 10)]
    paused = [(50, stood) for stood in range(10, 70, 10)]
    assert [time for time, stood in running if turns.take(time, stood)] == [0, 20, 40]
    assert [stood for time, stood in paused if turns.take(time, stood)] == [20, 40, 60]
    assert [time for time, stood in running if moving_only.take(time, stood)] == [0, 20, 40]
    assert not any(moving_only.take(time, stood) for time, stood in paused)


def test_turns_without_a_period_come_with_every_snapshot():
    turns, moving_only = TurnCounter(0), TurnCounter(0, standing=False)
    assert all(turns.take(time, stood) for time, stood in ((0, 0), (10, 0), (10, 10)))
    assert [moving_only.take(time, stood) for time, stood in ((0, 0), (10, 0), (10, 10))] == [True, True, False]


def test_turns_keep_to_multiples_of_their_period():
    turns = TurnCounter(20)
    assert [time for time in range(30, 100, 10) if turns.take(time, 0)] == [40, 60, 80]


def test_streams_that_go_on_in_a_pause_keep_their_rate_before_in_and_after_it():
    stream = Standing(20)
    running = [(time, 0) for time in range(0, 60, 10)]
    paused = [(50, stood) for stood in range(10, 70, 10)]
    after = [(time, 60) for time in range(60, 120, 10)]
    assert [time for time, stood in running if stream.take(time, stood)] == [0, 20, 40]
    assert [stood for time, stood in paused if stream.take(time, stood)] == [20, 40, 60]
    assert [time for time, stood in after if stream.take(time, stood)] == [60, 80, 100]
    assert not stream.has_come(110, 60)
    assert stream.has_come(110, 80)
