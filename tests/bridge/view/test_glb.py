"""Binary glTF files, as a reader of its own finds them."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.bridge.view.glb import glb_of, with_colour
from tests.bridge.view.glb import colours_of, read

VERTICES = np.array([(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 3)], np.float32)
FACES = np.array([(0, 1, 2), (0, 2, 3)])
COLOUR = np.array([(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (9, 8, 7, 255)], np.uint8)


@pytest.mark.parametrize("unlit", [False, True])
def test_another_reader_finds_the_same_triangles_and_colours(unlit):
    mesh = read(glb_of(VERTICES, FACES, COLOUR, unlit=unlit))
    assert np.array_equal(mesh.vertices, VERTICES)
    assert np.array_equal(mesh.faces, FACES)
    assert np.array_equal(colours_of(mesh), COLOUR)


def test_many_vertices_have_wider_indices():
    many = np.zeros((70_000, 3), np.float32)
    many[:, 0] = np.arange(70_000)
    mesh = read(glb_of(many, np.array([(0, 1, 69_999)]), np.full((70_000, 4), 255, np.uint8)))
    assert mesh.faces.tolist() == [[0, 1, 69_999]]


def test_colours_can_be_changed_in_place():
    glb = glb_of(VERTICES, FACES, COLOUR)
    other = 255 - COLOUR
    changed = with_colour(glb, other)
    assert np.array_equal(colours_of(read(changed)), other)
    assert with_colour(changed, COLOUR) == glb
    with pytest.raises(ValueError, match="bytes of colours"):
        with_colour(glb, other[:2])
