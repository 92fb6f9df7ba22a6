"""What files of OpenSCENARIO say of themselves and of their entities in words, for those who read results."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.entity import EntityObject, MiscObject, Pedestrian, Vehicle
from dorosim.scenario.openscenario.record.property import FileHeader, Properties


def facts_of_header(header: FileHeader) -> dict[str, str]:
    """Author, date, description, licence and free properties of a file, by name; what it leaves open is left out."""
    found = {
        "author": header.author,
        "date": header.date.isoformat(),
        "description": header.description,
        "revision": f"{header.rev_major}.{header.rev_minor}",
    }
    if header.license is not None:
        one = header.license
        found |= {
            "license": one.name,
            "license spdx": one.spdx_id or "",
            "license resource": one.resource or "",
            "license text": one.content.strip(),
        }
    found |= {f"property {name}": value for name, value in facts_of_properties(header.properties)}
    return {name: value for name, value in found.items() if value}


def facts_of_properties(properties: Properties | None) -> list[tuple[str, str]]:
    """Names and values of free properties, then files and free texts, in the order of the file."""
    if properties is None:
        return []
    return [
        *((one.name, one.value) for one in properties.properties),
        *(("file", one.filepath) for one in properties.files),
        *(("content", one.content.strip()) for one in properties.custom_contents),
    ]


def facts_of_entity(one: EntityObject) -> list[tuple[str, str]]:
    """Category, role, mass, model, places of axles and free properties of an entity, as far as the file has them."""
    chosen = one.chosen
    if not isinstance(chosen, Vehicle | Pedestrian | MiscObject):
        return []
    if isinstance(chosen, Vehicle):
        category, role = str(chosen.vehicle_category.value), chosen.role
    elif isinstance(chosen, Pedestrian):
        category, role = str(chosen.pedestrian_category.value), chosen.role
    else:
        category, role = str(chosen.misc_object_category.value), None
    found = [
        ("category", category),
        ("role", "" if role is None else str(role.value)),
        ("mass", f"{chosen.mass:g} kg" if chosen.mass else ""),
        ("model", chosen.model3d or ""),
    ]
    if isinstance(chosen, Vehicle):
        axles = (chosen.axles.front_axle, chosen.axles.rear_axle, *chosen.axles.additional_axles)
        found += [("axles", ", ".join(f"{one.position_x:g} m" for one in axles if one is not None))]
    return [*((name, value) for name, value in found if value), *facts_of_properties(chosen.properties)]
