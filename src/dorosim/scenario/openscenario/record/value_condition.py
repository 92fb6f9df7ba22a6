"""Conditions on values."""

from __future__ import annotations

from datetime import datetime

from dorosim.scenario.openscenario.record.parameter import Rule
from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, choice, sequence, words


@words()
class StoryboardElementState(Word):
    """A state or transition of a storyboard element."""

    COMPLETE_STATE = "completeState"
    END_TRANSITION = "endTransition"
    RUNNING_STATE = "runningState"
    SKIP_TRANSITION = "skipTransition"
    STANDBY_STATE = "standbyState"
    START_TRANSITION = "startTransition"
    STOP_TRANSITION = "stopTransition"


@words()
class StoryboardElementType(Word):
    """The kind of a storyboard element."""

    ACT = "act"
    ACTION = "action"
    EVENT = "event"
    MANEUVER = "maneuver"
    MANEUVER_GROUP = "maneuverGroup"
    STORY = "story"


@choice(choice_required="1.3")
class ByValueCondition(OscRecord):
    """A condition on a value."""

    parameter_condition: ParameterCondition | None = child(default=None)
    time_of_day_condition: TimeOfDayCondition | None = child(default=None)
    simulation_time_condition: SimulationTimeCondition | None = child(default=None)
    storyboard_element_state_condition: StoryboardElementStateCondition | None = child(default=None)
    user_defined_value_condition: UserDefinedValueCondition | None = child(default=None)
    traffic_signal_condition: TrafficSignalCondition | None = child(default=None)
    traffic_signal_controller_condition: TrafficSignalControllerCondition | None = child(default=None)
    variable_condition: VariableCondition | None = child(default=None, since="1.2")


@sequence()
class ParameterCondition(OscRecord):
    """The value of a parameter."""

    parameter_ref: str = attribute("name of the parameter")
    rule: Rule = attribute("comparison")
    value: str = attribute("reference")


@sequence(since="1.2")
class VariableCondition(OscRecord):
    """The value of a variable."""

    rule: Rule = attribute("comparison")
    value: str = attribute("reference")
    variable_ref: str = attribute("name of the variable")


@sequence()
class TimeOfDayCondition(OscRecord):
    """The date and time."""

    date_time: datetime = attribute("reference")
    rule: Rule = attribute("comparison")


@sequence()
class SimulationTimeCondition(OscRecord):
    """The simulated time since the storyboard's start."""

    rule: Rule = attribute("comparison")
    value: float = attribute("[s]")


@sequence()
class StoryboardElementStateCondition(OscRecord):
    """A state or transition of a storyboard element."""

    state: StoryboardElementState = attribute("state or transition")
    storyboard_element_ref: str = attribute("name of the element, with those above it where it must")
    storyboard_element_type: StoryboardElementType = attribute("its kind")


@sequence()
class UserDefinedValueCondition(OscRecord):
    """A value from outside the scenario."""

    name: str = attribute("name of the value")
    rule: Rule = attribute("comparison")
    value: str = attribute("reference")


@sequence()
class TrafficSignalCondition(OscRecord):
    """The state of a traffic light."""

    name: str = attribute("id of the light")
    state: str = attribute("state, in the words of the map")


@sequence()
class TrafficSignalControllerCondition(OscRecord):
    """The phase of a controller of traffic lights."""

    phase: str = attribute("name of the phase")
    traffic_signal_controller_ref: str = attribute("name of the controller")
