"""A small reader of Velodyne packets, written from facts/udp-wire.md (5.7) and nothing else of the project."""

from __future__ import annotations

import struct

import numpy as np

HDL_32E_ELEVATION = (
    "-30.67 -9.33 -29.33 -8 -28 -6.67 -26.67 -5.33 -25.33 -4 -24 -2.67 -22.67 -1.33 -21.33 0 -20 1.33 -18.67 2.67 "
    "-17.33 4 -16 5.33 -14.67 6.67 -13.33 8 -12 9.33 -10.67 10.67"
)
VLP_16_ELEVATION = "-15 1 -13 3 -11 5 -9 7 -7 9 -5 11 -3 13 -1 15"


def read_blocks(data: bytes):
    """Bank, azimuth [0.01 deg] and (32, 2) distance and intensity of each block."""
    for block in range(12):
        flag, azimuth = struct.unpack_from("<HH", data, 100 * block)
        returns = [struct.unpack_from("<HB", data, 100 * block + 4 + 3 * k) for k in range(32)]
        yield {0xEEFF: 0, 0xDDFF: 1}[flag], azimuth, np.array(returns)


def read_plain(packets, elevation: str):
    """Points (N, 3) x forward, y left, z up and laser (N,) of a VLP-16 or HDL-32E, all of a block at its azimuth."""
    tilt = np.radians([float(word) for word in elevation.split()])
    points, lasers = [], []
    for data in packets:
        for _, azimuth, returns in read_blocks(data):
            laser = np.arange(32) % len(tilt)
            distance, angle = 0.002 * returns[:, 0], np.radians(0.01 * azimuth)
            flat = distance * np.cos(tilt[laser])
            found = np.stack((flat * np.cos(angle), -flat * np.sin(angle), distance * np.sin(tilt[laser])), axis=1)
            points.append(found[distance > 0])
            lasers.append(laser[distance > 0])
    return np.concatenate(points), np.concatenate(lasers)


def read_driver(packets, elevation: str, *, older: bool = False):
    """What velodyne_pointcloud makes of a VLP-16 or HDL-32E, in its own arithmetic of 32 bits.

    Written from what its function unpack_vlp16 is known to do: the azimuth of a return is that of its block and a part
    of the difference to the next block; the last block has the one before. Where a packet passes from 359.99 to 0
    degrees, the present version takes the difference before, too, and leaves the block out if there is none; an older
    one takes the difference as it is. An HDL-32E has the azimuth of the block for all its lasers.

    Returns:
        Points (N, 3) x forward, y left, z up; place (N,) of each return among all of all packets, 384 a packet.
    """
    tilt = [float(word) for word in elevation.split()]
    f, points, places = np.float32, [], []
    for number, data in enumerate(packets):
        blocks, last = list(read_blocks(data)), 0
        for block, (_, azimuth, returns) in enumerate(blocks):
            turned = last
            if block < 11:
                raw = blocks[block + 1][1] - azimuth
                turned = raw % 36000
                if raw < 0 and not older:
                    if last == 0:
                        continue
                    turned = last
                last = turned
            for k in np.flatnonzero(returns[:, 0]).tolist():
                sequence, laser = divmod(k, len(tilt))
                step = azimuth
                if len(tilt) == 16:
                    late = f(f(laser) * f(2.304)) + f(f(sequence) * f(55.296))
                    step = int(np.floor(float(f(azimuth) + f(turned) * late / f(110.592)) + 0.5)) % 36000
                distance, angle, up = 0.002 * returns[k, 0], np.radians(0.01 * step), np.radians(tilt[laser])
                flat = distance * np.cos(up)
                points.append((flat * np.cos(angle), -flat * np.sin(angle), distance * np.sin(up)))
                places.append(384 * number + 32 * block + k)
    return np.array(points), np.array(places)


def read_64e(packets, table):
    """Points (N, 3) and laser (N,) of an HDL-64E by the published correction formula.

    `table` is (64, 7): elevation and azimuth correction [deg], distance corrections far, x, y, vertical and horizontal
    offset [m].
    """
    points, lasers = [], []
    for data in packets:
        for bank, azimuth, returns in read_blocks(data):
            for k in range(32):
                if returns[k, 0] == 0:
                    continue
                w, rot, dist, dist_x, dist_y, v, h = table[32 * bank + k]
                w, a = np.radians(w), np.radians(0.01 * azimuth - rot)
                d = 0.002 * returns[k, 0] + dist
                xy = d * np.cos(w) - v * np.sin(w)
                xx, yy = abs(xy * np.sin(a) - h * np.cos(a)), abs(xy * np.cos(a) + h * np.sin(a))
                corr_x = (dist - dist_x) * (xx - 2.4) / (25.04 - 2.4) + dist_x - dist
                corr_y = (dist - dist_y) * (yy - 1.93) / (25.04 - 1.93) + dist_y - dist
                x = ((d + corr_x) * np.cos(w) - v * np.sin(w)) * np.sin(a) - h * np.cos(a)
                y = ((d + corr_y) * np.cos(w) - v * np.sin(w)) * np.cos(a) + h * np.sin(a)
                z = (d + corr_y) * np.sin(w) + v * np.cos(w)
                points.append((y, -x, z))
                lasers.append(32 * bank + k)
    return np.array(points), np.array(lasers)
