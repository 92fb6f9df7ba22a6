"""Bodies to collide, and what is conserved when they do."""

from __future__ import annotations

import numpy as np

from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.impact import CAR_BODIES, BodyChange, ImpactLaw, collide

TICK = 0.01
SMOOTH = {"friction": 0.0}


def cars(*rows: dict[str, float]) -> BodyTable:
    """Cars of 4 m x 2 m x 1.5 m and 1500 kg on the ground; each row names what differs."""
    bodies = BodyTable.zeros(len(rows))
    bodies.half_length[:], bodies.half_width[:], bodies.half_height[:] = 2.0, 1.0, 0.75
    bodies.mass[:], bodies.z[:], bodies.movable[:] = 1500.0, 0.75, 1
    bodies.drag_factor[:], bodies.kind[:] = VEHICLE_DRAG_FACTOR, BodyKind.NPC
    bodies.id[:] = np.arange(1, len(rows) + 1)
    for number, row in enumerate(rows):
        for name, value in row.items():
            getattr(bodies, name)[number] = value
    return bodies


def law(restitution: float, friction: float = 0.0, resting_speed: float = 0.0) -> ImpactLaw:
    """A law whose restitution does not depend on the speed."""
    return ImpactLaw(
        restitution=restitution, soft_restitution=restitution, friction=friction, resting_speed=resting_speed
    )


def inertia(bodies: BodyTable) -> np.ndarray:
    size = (bodies.half_length**2 + bodies.half_width**2) / 3
    return np.where(bodies.inertia > 0, bodies.inertia, bodies.mass * size)


def momentum(bodies: BodyTable) -> np.ndarray:
    """East, north, and about the map's origin."""
    x = bodies.x + np.cos(bodies.yaw) * bodies.cg_forward
    y = bodies.y + np.sin(bodies.yaw) * bodies.cg_forward
    px, py = bodies.mass * bodies.velocity_x, bodies.mass * bodies.velocity_y
    return np.array([px.sum(), py.sum(), (x * py - y * px + inertia(bodies) * bodies.yaw_rate).sum()])


def energy(bodies: BodyTable) -> float:
    linear = bodies.mass * (bodies.velocity_x**2 + bodies.velocity_y**2)
    return float(0.5 * (linear + inertia(bodies) * bodies.yaw_rate**2).sum())


def drift(bodies: BodyTable, dt: float = TICK) -> None:
    """Move on without forces."""
    x = bodies.x + np.cos(bodies.yaw) * bodies.cg_forward + bodies.velocity_x * dt
    y = bodies.y + np.sin(bodies.yaw) * bodies.cg_forward + bodies.velocity_y * dt
    bodies.yaw[:] += bodies.yaw_rate * dt
    bodies.x[:], bodies.y[:] = x - np.cos(bodies.yaw) * bodies.cg_forward, y - np.sin(bodies.yaw) * bodies.cg_forward


def move_bodies(bodies: BodyTable, change: BodyChange) -> None:
    """Write velocities and places of a tick's impacts into the bodies."""
    bodies.velocity_x[:] += change.velocity_x
    bodies.velocity_y[:] += change.velocity_y
    bodies.yaw_rate[:] += change.yaw_rate
    bodies.x[:] += change.shift_x
    bodies.y[:] += change.shift_y


def tick(bodies: BodyTable, dt: float = TICK, impact: ImpactLaw = CAR_BODIES) -> ContactTable:
    """One tick of bodies without forces: they move on, and those that meet collide."""
    drift(bodies, dt)
    found = collide(bodies, dt, impact)
    if found.change is not None:
        move_bodies(bodies, found.change)
    return found.contacts


def run(bodies: BodyTable, seconds: float, dt: float = TICK, impact: ImpactLaw = CAR_BODIES) -> list[ContactTable]:
    """Ticks; the contacts of those in which something touched."""
    ticks = [tick(bodies, dt, impact) for _ in range(round(seconds / dt))]
    return [contacts for contacts in ticks if len(contacts)]
