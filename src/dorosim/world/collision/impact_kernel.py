"""What an impact does: impulses between rigid bodies in the plane, and no overlap afterwards.

Equations of impulse and momentum for two bodies with a common point (R. M. Brach and R. M. Brach, "Vehicle Accident
Analysis and Reconstruction Methods", 2nd ed. (2011), chapter 6, planar impact mechanics): a coefficient of
restitution along the normal, and a tangential impulse that ends the sliding unless Coulomb friction bounds it. The
algebra is that of A. Chatterjee and A. Ruina, "A new algebraic rigid-body collision law based on impulse space
considerations", Journal of Applied Mechanics 65 (1998), with no tangential restitution: it keeps the normal
restitution exact, and unlike Newton's law with Coulomb's it never adds energy.

With the relative velocity v at the contact and the symmetric matrix K (velocity change per impulse), the impulse of a
smooth and plastic impact is P1 = -(v_n / K_nn) n, that of a rough and plastic one P2 = -K⁻¹ v. The impulse is
(1 + e) P1 + k (P2 - P1), with k = 1 if friction allows it, else the largest k in the friction cone. P1 and P2 - P1 are
orthogonal in K, so the energy of the relative motion falls by 1 - e² in one part and by 1 - (1 - k)² in the other.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt
from typing import NamedTuple

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import BodyChange, BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable

_BODY_CHANGE = BodyChange.at
_BODY = BodyTable.at
_CONTACT = ContactTable.at
_SCENERY = int(BodyKind.SCENERY)

IMPACT_ROUNDS = 12
"""Rounds over the contacts of a tick, since an impulse at one contact closes others in a pile."""
SHIFT_ROUNDS = 6
"""Rounds that push overlapping bodies apart."""
AT_REST = 1e-9
"""Closing speed that counts as none [m/s]."""
SLOP = 0.005
"""Overlap that stays, so that bodies that lean on each other keep touching [m]."""
MAX_PARTING_SPEED = 3.0
"""Bodies that overlapped with what stands before a tick are pushed out no faster than this [m/s]."""
MAX_LEFT_INSIDE, MAX_SUDDEN_DEPTH = 0.08, 0.5
"""But those that are less deep inside than the latter come out at once until they are no deeper than the former [m].
Deeper is only what was put there."""
MAX_BODY_SPEED = 600.0
"""No body leaves an impact faster than this [m/s]: twice the greatest speed that can be commanded, which is what a
light body gets from a heavy one. Between two bodies that nothing can push it would gain more with every bounce."""
MAX_BODY_YAW_RATE = 50.0
"""No body spins faster than this after an impact [rad/s]."""


class ImpactSide(NamedTuple):
    """One body at a contact.

    Attributes:
        inverse_mass, inverse_inertia: 0 of a body that does not give way [1/kg], [1/(kg m²)].
        arm_normal, arm_tangent: moment about its centre of gravity of a unit impulse along the normal and along the
            tangent [m].
        along, across: its velocity at the contact, along the normal and along the tangent [m/s].
    """

    inverse_mass: float
    inverse_inertia: float
    arm_normal: float
    arm_tangent: float
    along: float
    across: float


class Law(NamedTuple):
    """Numbers of `ImpactLaw`."""

    restitution: float
    soft_restitution: float
    soft_speed: float
    resting_speed: float
    friction: float


@inner_kernel
def side_of(
    floats: FloatArray, ints: IntArray, change: FloatArray, contact: FloatArray, row: int, i: int, back: float
) -> ImpactSide:
    """The body of a row at a contact, with what other impacts of the tick have already done to it."""
    nx, ny = contact[_CONTACT.normal_x, row], contact[_CONTACT.normal_x + 1, row]
    c, s = cos(floats[_BODY.yaw, i]), sin(floats[_BODY.yaw, i])
    # the lever arm is that of the moment of the meeting, when the body had not gone all of its way
    x = contact[_CONTACT.x, row] - (
        floats[_BODY.x, i] + c * floats[_BODY.cg_forward, i] - floats[_BODY.velocity_x, i] * back
    )
    y = contact[_CONTACT.x + 1, row] - (
        floats[_BODY.y, i] + s * floats[_BODY.cg_forward, i] - floats[_BODY.velocity_y, i] * back
    )
    yaw_rate = floats[_BODY.yaw_rate, i] + change[_BODY_CHANGE.yaw_rate, i]
    vx = floats[_BODY.velocity_x, i] + change[_BODY_CHANGE.velocity_x, i] - yaw_rate * y
    vy = floats[_BODY.velocity_y, i] + change[_BODY_CHANGE.velocity_y, i] + yaw_rate * x
    inverse_mass, inverse_inertia = 0.0, 0.0
    if ints[_BODY.movable, i] != 0 and floats[_BODY.mass, i] > 0.0:
        inverse_mass, inertia = 1.0 / floats[_BODY.mass, i], floats[_BODY.inertia, i]
        if inertia <= 0.0:
            length, width = floats[_BODY.half_length, i], floats[_BODY.half_width, i]
            inertia = floats[_BODY.mass, i] * (length * length + width * width) * (1.0 / 3.0)
        inverse_inertia = 1.0 / inertia
    return ImpactSide(
        inverse_mass, inverse_inertia, x * ny - y * nx, x * nx + y * ny, vx * nx + vy * ny, vy * nx - vx * ny
    )


@inner_kernel
def impulse(first: ImpactSide, second: ImpactSide, law: Law) -> tuple[float, float]:
    """Normal and tangential impulse on the second body [N s]; none if they part.

    Args:
        first: the one body at the contact.
        second: the other.
        law: restitution and friction.
    """
    along, across = second.along - first.along, second.across - first.across
    mass = first.inverse_mass + second.inverse_mass
    if along >= -AT_REST or mass == 0.0:
        return 0.0, 0.0
    a, b = first.inverse_inertia, second.inverse_inertia
    k_nn = mass + a * first.arm_normal * first.arm_normal + b * second.arm_normal * second.arm_normal
    k_tt = mass + a * first.arm_tangent * first.arm_tangent + b * second.arm_tangent * second.arm_tangent
    k_nt = a * first.arm_normal * first.arm_tangent + b * second.arm_normal * second.arm_tangent
    restitution = 0.0
    if -along > law.resting_speed:
        restitution = law.restitution + (law.soft_restitution - law.restitution) * exp(along / law.soft_speed)
    determinant = k_nn * k_tt - k_nt * k_nt
    smooth = -along / k_nn
    rough_normal = (across * k_nt - along * k_tt) / determinant - smooth
    rough_tangent = (along * k_nt - across * k_nn) / determinant
    normal = (1.0 + restitution) * smooth
    share = 1.0
    if abs(rough_tangent) > law.friction * (normal + rough_normal):
        share = law.friction * normal / (abs(rough_tangent) - law.friction * rough_normal)
    return normal + share * rough_normal, share * rough_tangent


@inner_kernel
def push(change: FloatArray, i: int, side: ImpactSide, x: float, y: float, moment: float) -> None:
    """Add the effect of an impulse [N s] and its moment about the centre of gravity to a body's change."""
    change[_BODY_CHANGE.velocity_x, i] += x * side.inverse_mass
    change[_BODY_CHANGE.velocity_y, i] += y * side.inverse_mass
    change[_BODY_CHANGE.yaw_rate, i] += moment * side.inverse_inertia


@inner_kernel
def hold_back(floats: FloatArray, touched: IntArray, change: FloatArray) -> None:
    """Bound speeds and spins after the impacts."""
    for i in range(floats.shape[1]):
        if touched[_BODY_CHANGE.touched, i] == 0:
            continue
        x = floats[_BODY.velocity_x, i] + change[_BODY_CHANGE.velocity_x, i]
        y = floats[_BODY.velocity_y, i] + change[_BODY_CHANGE.velocity_y, i]
        speed = sqrt(x * x + y * y)
        if speed > MAX_BODY_SPEED and (
            change[_BODY_CHANGE.velocity_x, i] != 0.0 or change[_BODY_CHANGE.velocity_y, i] != 0.0
        ):
            change[_BODY_CHANGE.velocity_x, i] += x * (MAX_BODY_SPEED / speed - 1.0)
            change[_BODY_CHANGE.velocity_y, i] += y * (MAX_BODY_SPEED / speed - 1.0)
        spin = floats[_BODY.yaw_rate, i] + change[_BODY_CHANGE.yaw_rate, i]
        if abs(spin) > MAX_BODY_YAW_RATE and change[_BODY_CHANGE.yaw_rate, i] != 0.0:
            change[_BODY_CHANGE.yaw_rate, i] = (
                min(max(spin, -MAX_BODY_YAW_RATE), MAX_BODY_YAW_RATE) - floats[_BODY.yaw_rate, i]
            )


@inner_kernel
def inverse_mass_of(floats: FloatArray, ints: IntArray, i: int) -> float:
    """1 over the mass of the body of a row [1/kg]; 0 of one that nothing pushes."""
    return 1.0 / floats[_BODY.mass, i] if ints[_BODY.movable, i] != 0 and floats[_BODY.mass, i] > 0.0 else 0.0


@inner_kernel
def stands_fast(ints: IntArray, pairs: IntArray, row: int) -> bool:
    """Whether the second body of a contact is scenery that has not given way."""
    return bool(pairs[_CONTACT.second_kind, row] == _SCENERY and ints[_BODY.movable, pairs[_CONTACT.second, row]] == 0)


@inner_kernel
def separate_pair(
    floats: FloatArray, ints: IntArray, contact: FloatArray, pairs: IntArray, row: int, change: FloatArray, dt: float
) -> bool:
    """Shift the bodies of a contact apart along its normal, the lighter one farther; returns whether they overlap.

    What one overlapped with what stands before the tick, as where a box grows that begins to tumble, goes little by
    little, but for what is deeper than `MAX_LEFT_INSIDE`.
    """
    i, j = pairs[_CONTACT.first, row], pairs[_CONTACT.second, row]
    light_i, light_j = inverse_mass_of(floats, ints, i), inverse_mass_of(floats, ints, j)
    nx, ny = contact[_CONTACT.normal_x, row], contact[_CONTACT.normal_x + 1, row]
    gone = (change[_BODY_CHANGE.shift_x, j] - change[_BODY_CHANGE.shift_x, i]) * nx + (
        change[_BODY_CHANGE.shift_x + 1, j] - change[_BODY_CHANGE.shift_x + 1, i]
    ) * ny
    depth = contact[_CONTACT.depth, row]
    if contact[_CONTACT.meeting, row] == 0.0 and stands_fast(ints, pairs, row):
        parted = SLOP + (max(contact[_CONTACT.closing_speed, row], 0.0) + MAX_PARTING_SPEED) * dt
        if depth < MAX_SUDDEN_DEPTH:
            parted = max(parted, depth - MAX_LEFT_INSIDE)
        depth = min(depth, parted)
    rest = depth - SLOP - gone
    if rest <= AT_REST or light_i + light_j == 0.0:
        return False
    rest /= light_i + light_j
    change[_BODY_CHANGE.shift_x, i] -= rest * light_i * nx
    change[_BODY_CHANGE.shift_x + 1, i] -= rest * light_i * ny
    change[_BODY_CHANGE.shift_x, j] += rest * light_j * nx
    change[_BODY_CHANGE.shift_x + 1, j] += rest * light_j * ny
    return True


@inner_kernel
def separate(
    floats: FloatArray,
    ints: IntArray,
    contact: FloatArray,
    pairs: IntArray,
    order: IntArray,
    change: FloatArray,
    dt: float,
) -> None:
    """Shift bodies that overlap apart along the normals; at last out of what stands, if not all overlaps go."""
    for _ in range(SHIFT_ROUNDS):
        moved = False
        for row in order:
            moved |= separate_pair(floats, ints, contact, pairs, row, change, dt)
        if not moved:
            return
    for _ in range(SHIFT_ROUNDS):
        moved = False
        for row in order:
            if stands_fast(ints, pairs, row):
                moved |= separate_pair(floats, ints, contact, pairs, row, change, dt)
        if not moved:
            return


@kernel
def resolve_contacts(
    floats: FloatArray,
    ints: IntArray,
    contact: FloatArray,
    pairs: IntArray,
    order: IntArray,
    law: Law,
    dt: float,
    change: FloatArray,
    touched: IntArray,
) -> None:
    """Impulses and shifts of a tick's contacts; the bodies themselves stay as they are.

    Args:
        floats: `(columns, N)` the writable float block of `BodyTable`; it is only read.
        ints: `(columns, N)` its writable int block; it is only read.
        contact: `(columns, C)` the float block of `ContactTable`; the impulses are added.
        pairs: `(columns, C)` its int block.
        order: `(C,)` contacts in the order in which the bodies met.
        law: restitution and friction.
        dt: the tick [s].
        change: `(columns, N)` the float block of `BodyChange`, zeros.
        touched: `(columns, N)` its int block, zeros.
    """
    for row in order:
        touched[_BODY_CHANGE.touched, pairs[_CONTACT.first, row]] += 1
        touched[_BODY_CHANGE.touched, pairs[_CONTACT.second, row]] += 1
    for _ in range(IMPACT_ROUNDS):
        closed = False
        for row in order:
            i, j, back = pairs[_CONTACT.first, row], pairs[_CONTACT.second, row], dt - contact[_CONTACT.meeting, row]
            first = side_of(floats, ints, change, contact, row, i, back)
            second = side_of(floats, ints, change, contact, row, j, back)
            normal, tangent = impulse(first, second, law)
            if normal == 0.0 and tangent == 0.0:
                continue
            closed = True
            nx, ny = contact[_CONTACT.normal_x, row], contact[_CONTACT.normal_x + 1, row]
            x, y = normal * nx - tangent * ny, normal * ny + tangent * nx
            push(change, i, first, -x, -y, -(first.arm_normal * normal + first.arm_tangent * tangent))
            push(change, j, second, x, y, second.arm_normal * normal + second.arm_tangent * tangent)
            contact[_CONTACT.normal_impulse, row] += normal
            contact[_CONTACT.tangent_impulse, row] += tangent
        if not closed:
            break
    hold_back(floats, touched, change)
    separate(floats, ints, contact, pairs, order, change, dt)
