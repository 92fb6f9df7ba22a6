"""What of OpenDRIVE is read: the elements that each element may have. All others are counted and named."""

from __future__ import annotations

PRIVATE = frozenset({"userData"})
"""Elements with data of the program that wrote the file, which no other program has to know."""

_TREE = {
    "OpenDRIVE": "header road junction controller",
    "header": "geoReference offset",
    "road": "link type planView elevationProfile lateralProfile lanes objects signals surface",
    "type": "speed line",
    "planView": "geometry",
    "geometry": "line arc spiral poly3 paramPoly3",
    "elevationProfile": "elevation",
    "lateralProfile": "superelevation crossfall shape crossSectionSurface",
    "crossSectionSurface": "tOffset surfaceStrips",
    "tOffset": "coefficients",
    "surfaceStrips": "strip",
    "strip": "width constant linear quadratic cubic",
    "width": "coefficients",
    "constant": "coefficients",
    "linear": "coefficients",
    "quadratic": "coefficients",
    "cubic": "coefficients",
    "lanes": "laneOffset laneSection",
    "laneSection": "left center right",
    "left": "lane",
    "center": "lane",
    "right": "lane",
    "lane": "link width border height speed access material roadMark",
    "access": "restriction",
    "link": "predecessor successor",
    "roadMark": "type explicit sway",
    "explicit": "line",
    "objects": "object objectReference tunnel bridge",
    "object": "outlines outline repeat markings borders validity parkingSpace",
    "outlines": "outline",
    "outline": "cornerRoad cornerLocal",
    "markings": "marking",
    "marking": "cornerReference",
    "borders": "border",
    "border": "cornerReference",
    "objectReference": "validity",
    "signals": "signal signalReference",
    "signal": "validity dependency reference positionRoad positionInertial",
    "signalReference": "validity",
    "controller": "control",
    "junction": "connection priority controller crossPath",
    "crossPath": "startLaneLink endLaneLink",
    "connection": "laneLink",
}

SUPPORTED = {parent: frozenset(children.split()) for parent, children in _TREE.items()}
"""Element to those directly in it that are read. `road/surface` itself may be empty; the OpenCRG in it is not read."""
