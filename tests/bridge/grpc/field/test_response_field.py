"""Every field of every response of both APIs tells something, or is listed as always the same.

The responses are those to the requests of `test_request_field.py`, of which most ask for something else than is there,
and to those of the table LOOKS.
"""

from __future__ import annotations

import pytest

from dorosim.bridge.grpc.constant_field import CONSTANT
from dorosim.wire.grpc.descriptor import methods
from dorosim.wire.grpc.explanation import Explanations
from tests.bridge.grpc.field.exploration import METHODS, STATES, answer_leaves, explored, is_idle, key_of
from tests.bridge.grpc.field.leaf import keys_of, leaves_of, listed
from tests.wire.grpc.message_strategy import all_descriptors

BY_METHOD = pytest.mark.parametrize("method", METHODS, ids=key_of)
SOME_ONLY = {"Result.custom_message", "ActorResponseList.service_name"}
"""What is listed of a message, and holds of most procedures that answer with it."""


@BY_METHOD
def test_every_field_tells_something_or_is_listed(method):
    if is_idle(method):
        return
    answered, flaws = explored(method).answered, {}
    for path, name in answer_leaves(method):
        keys, values = listed(method, path, CONSTANT[method.api]), answered[name]
        if len(values) < 2 and not keys:
            flaws[name] = f"is always {values}, and is not listed"
        if len(values) > 1 and keys and not SOME_ONLY & set(keys):
            flaws[name] = f"is listed, and was {sorted(map(str, values))[:3]}"
    assert flaws == {}


@pytest.mark.parametrize("api", ["documented", "standard"])
def test_what_is_listed_stands_in_the_messages(api):
    own = [method for method in METHODS if method.api == api]
    known = {key for method in own for path, _ in answer_leaves(method) for key in keys_of(method, path)}
    for key, why in CONSTANT[api].items():
        assert key in known
        assert len(why) > 10


def test_messages_that_no_procedure_uses_are_said_to_be_so():
    kinds = [*STATES.values(), *(kind for method in methods() for kind in (method.request, method.response))]
    used = {kind.DESCRIPTOR.full_name for kind in kinds}
    used |= {field.containing_type.full_name for kind in kinds for path in leaves_of(kind.DESCRIPTOR) for field in path}
    texts = Explanations.load()
    idle = [kind.full_name for kind in all_descriptors() if kind.fields and kind.full_name not in used]
    assert idle
    assert [name for name in idle if not texts.of(name).endswith("no procedure uses it.")] == []


def test_states_that_connect_packs_are_looked_at():
    (connect,) = (method for method in METHODS if method.server_streaming)
    names = {name for _, name in answer_leaves(connect)}
    for kind in STATES.values():
        assert any(name.startswith(f"{kind.DESCRIPTOR.name}.") for name in names)
