"""Values with parts of them spoilt."""

from __future__ import annotations


def damage(value, dice) -> None:
    """Put junk somewhere into a JSON value, or take something out."""
    junk = [None, True, -1, 3.7, "", "x", "1,5", 1e308, -1e7, [], {}, [[]], {"x": 1}, 10**40]
    while True:
        key = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if isinstance(value[key], dict | list) and value[key] and dice.random() < 0.8:
            value = value[key]
            continue
        if dice.random() < 0.3:
            del value[key]
        else:
            value[key] = dice.choice(junk)
        return
