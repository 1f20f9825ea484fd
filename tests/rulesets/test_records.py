"""What every ruleset's record promises, whatever its rules."""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct, inspect

from service.engine.ruleset import Ruleset
from service.rulesets import RULESETS
from tests.toy.rules import RULESET as TOY


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), TOY], ids=lambda ruleset: ruleset.slug)
def test_dice_are_asked_for_with_the_effect_that_is_read_again(ruleset: Ruleset[Any]) -> None:
    [effects, _] = get_args(get_type_hints(ruleset.event)["effects"])
    read = [kind for kind in get_args(effects) if kind.__struct_config__.tag == "decision_opened"]
    assert read == [ruleset.opened]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.slug)
def test_what_clients_send_is_refused_if_it_has_an_unknown_field(ruleset: Ruleset[Any]) -> None:
    lenient = {
        kind.cls
        for asked in (ruleset.setup, ruleset.action)
        for kind in structs_in(inspect.type_info(asked), set())
        if not kind.forbid_unknown_fields
    }
    assert lenient == set()


def structs_in(kind: object, known: set[type[Struct]]) -> Iterator[inspect.StructType]:
    """The Structs that a value of this type may hold, each once; `known` are those before."""
    if isinstance(kind, inspect.StructType):
        if kind.cls in known:
            return
        known.add(kind.cls)
        yield kind
        inner: tuple[object, ...] = tuple(field.type for field in kind.fields)
    else:
        several = [getattr(kind, name, ()) for name in ("types", "item_types")]
        single = [getattr(kind, name, None) for name in ("item_type", "key_type", "value_type")]
        inner = tuple(each for each in (*several[0], *several[1], *single) if each is not None)
    for each in inner:
        yield from structs_in(each, known)
