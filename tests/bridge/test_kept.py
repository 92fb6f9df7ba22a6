"""What is kept of a snapshot is made once for it, and made anew for the next one."""

from types import SimpleNamespace

from dorosim.bridge.surroundings import SnapshotCache


def test_a_thing_is_made_once_a_snapshot_and_key():
    kept, made = SnapshotCache(), []
    first, second = SimpleNamespace(), SimpleNamespace()

    def make() -> str:
        made.append(len(made))
        return f"thing {made[-1]}"

    assert kept.get(first, "a", make) == kept.get(first, "a", make) == "thing 0"
    assert kept.get(first, "b", make) == "thing 1"
    assert kept.get(second, "a", make) == "thing 2"
    assert kept.get(first, "a", make) == "thing 3", "only the last snapshot is remembered"
