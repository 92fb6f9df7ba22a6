"""Criteria of runs: what must hold of an ego entity, measured tick by tick, without state outside `CriterionState`."""
