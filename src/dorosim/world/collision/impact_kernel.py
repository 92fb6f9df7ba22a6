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

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import BodyChange, BodyTable
from dorosim.world.collision.contact import ContactTable

IMPACT_ROUNDS = 12
"""Rounds over the contacts of a tick, since an impulse at one contact closes others in a pile."""
SHIFT_ROUNDS = 6
"""Rounds that push overlapping bodies apart."""
AT_REST = 1e-9
"""Closing speed that counts as none [m/s]."""
SLOP = 0.005
"""Overlap that stays, so that bodies that lean on each other keep touching [m]."""
FASTEST = 600.0
"""No body leaves an impact faster than this [m/s]: twice the greatest speed that can be commanded, which is what a
light body gets from a heavy one. Between two bodies that nothing can push it would gain more with every bounce."""
FASTEST_SPIN = 50.0
"""No body spins faster than this after an impact [rad/s]."""

_B, _C, _D = BodyTable, ContactTable, BodyChange
_X, _Y, _YAW, _CG = _B.x.index, _B.y.index, _B.yaw.index, _B.cg_forward.index
_VX, _VY, _TURN = _B.velocity_x.index, _B.velocity_y.index, _B.yaw_rate.index
_MASS, _INERTIA, _MOVABLE = _B.mass.index, _B.inertia.index, _B.movable.index
_HALF_LENGTH, _HALF_WIDTH = _B.half_length.index, _B.half_width.index
_POINT, _NORMAL, _DEPTH, _MEETING = _C.x.index, _C.normal_x.index, _C.depth.index, _C.meeting.index
_NORMAL_IMPULSE, _TANGENT_IMPULSE = _C.normal_impulse.index, _C.tangent_impulse.index
_FIRST, _SECOND = _C.first.index, _C.second.index
_DVX, _DVY, _DTURN, _SHIFT = _D.velocity_x.index, _D.velocity_y.index, _D.yaw_rate.index, _D.shift_x.index
_TOUCHED = _D.touched.index


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
    real: RealArray, whole: WholeArray, change: RealArray, contact: RealArray, row: int, i: int, back: float
) -> ImpactSide:
    """The body of a row at a contact, with what other impacts of the tick have already done to it."""
    nx, ny = contact[_NORMAL, row], contact[_NORMAL + 1, row]
    c, s = cos(real[_YAW, i]), sin(real[_YAW, i])
    # the lever arm is that of the moment of the meeting, when the body had not gone all of its way
    x = contact[_POINT, row] - (real[_X, i] + c * real[_CG, i] - real[_VX, i] * back)
    y = contact[_POINT + 1, row] - (real[_Y, i] + s * real[_CG, i] - real[_VY, i] * back)
    turn = real[_TURN, i] + change[_DTURN, i]
    vx, vy = real[_VX, i] + change[_DVX, i] - turn * y, real[_VY, i] + change[_DVY, i] + turn * x
    inverse_mass, inverse_inertia = 0.0, 0.0
    if whole[_MOVABLE, i] != 0 and real[_MASS, i] > 0.0:
        inverse_mass, inertia = 1.0 / real[_MASS, i], real[_INERTIA, i]
        if inertia <= 0.0:
            length, width = real[_HALF_LENGTH, i], real[_HALF_WIDTH, i]
            inertia = real[_MASS, i] * (length * length + width * width) * (1.0 / 3.0)
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
def push(change: RealArray, i: int, side: ImpactSide, x: float, y: float, moment: float) -> None:
    """Add the effect of an impulse [N s] and its moment about the centre of gravity to a body's change."""
    change[_DVX, i] += x * side.inverse_mass
    change[_DVY, i] += y * side.inverse_mass
    change[_DTURN, i] += moment * side.inverse_inertia


@inner_kernel
def hold_back(real: RealArray, touched: WholeArray, change: RealArray) -> None:
    """Bound speeds and spins after the impacts."""
    for i in range(real.shape[1]):
        if touched[_TOUCHED, i] == 0:
            continue
        x, y = real[_VX, i] + change[_DVX, i], real[_VY, i] + change[_DVY, i]
        speed = sqrt(x * x + y * y)
        if speed > FASTEST and (change[_DVX, i] != 0.0 or change[_DVY, i] != 0.0):
            change[_DVX, i] += x * (FASTEST / speed - 1.0)
            change[_DVY, i] += y * (FASTEST / speed - 1.0)
        spin = real[_TURN, i] + change[_DTURN, i]
        if abs(spin) > FASTEST_SPIN and change[_DTURN, i] != 0.0:
            change[_DTURN, i] = min(max(spin, -FASTEST_SPIN), FASTEST_SPIN) - real[_TURN, i]


@inner_kernel
def separate(
    real: RealArray, whole: WholeArray, contact: RealArray, pairs: WholeArray, order: WholeArray, change: RealArray
) -> None:
    """Shift bodies that overlap apart along the normals, the lighter one farther."""
    for _ in range(SHIFT_ROUNDS):
        moved = False
        for row in order:
            i, j = pairs[_FIRST, row], pairs[_SECOND, row]
            light_i = 1.0 / real[_MASS, i] if whole[_MOVABLE, i] != 0 and real[_MASS, i] > 0.0 else 0.0
            light_j = 1.0 / real[_MASS, j] if whole[_MOVABLE, j] != 0 and real[_MASS, j] > 0.0 else 0.0
            nx, ny = contact[_NORMAL, row], contact[_NORMAL + 1, row]
            gone = (change[_SHIFT, j] - change[_SHIFT, i]) * nx + (change[_SHIFT + 1, j] - change[_SHIFT + 1, i]) * ny
            rest = contact[_DEPTH, row] - SLOP - gone
            if rest <= AT_REST or light_i + light_j == 0.0:
                continue
            moved = True
            rest /= light_i + light_j
            change[_SHIFT, i] -= rest * light_i * nx
            change[_SHIFT + 1, i] -= rest * light_i * ny
            change[_SHIFT, j] += rest * light_j * nx
            change[_SHIFT + 1, j] += rest * light_j * ny
        if not moved:
            return


@kernel
def resolve_contacts(
    real: RealArray,
    whole: WholeArray,
    contact: RealArray,
    pairs: WholeArray,
    order: WholeArray,
    law: Law,
    dt: float,
    change: RealArray,
    touched: WholeArray,
) -> None:
    """Impulses and shifts of a tick's contacts; the bodies themselves stay as they are.

    Args:
        real: `(columns, N)` the writable real block of `BodyTable`; it is only read.
        whole: `(columns, N)` its writable whole block; it is only read.
        contact: `(columns, C)` the real block of `ContactTable`; the impulses are added.
        pairs: `(columns, C)` its whole block.
        order: `(C,)` contacts in the order in which the bodies met.
        law: restitution and friction.
        dt: the tick [s].
        change: `(columns, N)` the real block of `BodyChange`, zeros.
        touched: `(columns, N)` its whole block, zeros.
    """
    for row in order:
        touched[_TOUCHED, pairs[_FIRST, row]] += 1
        touched[_TOUCHED, pairs[_SECOND, row]] += 1
    for _ in range(IMPACT_ROUNDS):
        closed = False
        for row in order:
            i, j, back = pairs[_FIRST, row], pairs[_SECOND, row], dt - contact[_MEETING, row]
            first = side_of(real, whole, change, contact, row, i, back)
            second = side_of(real, whole, change, contact, row, j, back)
            normal, tangent = impulse(first, second, law)
            if normal == 0.0 and tangent == 0.0:
                continue
            closed = True
            nx, ny = contact[_NORMAL, row], contact[_NORMAL + 1, row]
            x, y = normal * nx - tangent * ny, normal * ny + tangent * nx
            push(change, i, first, -x, -y, -(first.arm_normal * normal + first.arm_tangent * tangent))
            push(change, j, second, x, y, second.arm_normal * normal + second.arm_tangent * tangent)
            contact[_NORMAL_IMPULSE, row] += normal
            contact[_TANGENT_IMPULSE, row] += tangent
        if not closed:
            break
    hold_back(real, touched, change)
    separate(real, whole, contact, pairs, order, change)
