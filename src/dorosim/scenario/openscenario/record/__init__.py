"""One class for each named type of OpenSCENARIO XML, in modules by subject."""
