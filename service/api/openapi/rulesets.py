"""What a ruleset adds to the documents: its setup, actions, effects, events and state."""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, Final, get_args, get_type_hints

from service.api.openapi.components import ComponentKey, ComponentKind, Group, assembled
from service.api.openapi.schemas import Schema, structs_in
from service.engine.battle.linear import Linear
from service.engine.battle.open_decisions import Chosen, Decision, Declared, Suspended
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset, choices_of
from service.engine.vocabulary.effects import DecisionClosed, Sealed

DEFINITIONS: Final = "#/$defs/"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def group_of(ruleset: Ruleset[RuleState]) -> Group:
    """The types of a ruleset itself."""
    edition = edition_of(ruleset)
    unions = {
        ComponentKey("Action", "taken", edition): ruleset.action,
        ComponentKey("Choice", "taken", edition): choices_of(ruleset),
        ComponentKey("Map", "taken", edition): ruleset.map,
        ComponentKey("Map", "told", edition): ruleset.map,
        ComponentKey("Action", "told", edition): get_type_hints(ruleset.event)["action"],
        ComponentKey("Choice", "told", edition): choices_of(ruleset),
        ComponentKey("Effect", "told", edition): effect_of(ruleset),
    }
    return Group(
        slug=ruleset.slug,
        edition=edition,
        requests=(ruleset.setup,),
        responses=(ruleset.event, ruleset.state, Linear, ruleset.blob, ruleset.facts),
        unions=unions,
        fields=_fields(ruleset),
    )


@cache
def ruleset_schemas(ruleset: Ruleset[RuleState]) -> Schema:
    """One JSON Schema document with all of a ruleset's own types."""
    group = group_of(ruleset)
    definitions = assembled([group], (), name_in_ruleset, at=DEFINITIONS)
    shown = {
        "setup": group.place(ruleset.setup, "taken"),
        "action": group.place("Action", "taken"),
        "effect": group.place("Effect", "told"),
        "state": group.place(ruleset.state, "told"),
        "table": group.place(Linear, "told"),
        "map": group.place(ruleset.blob, "told"),
    }
    return {
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "schema": {
            "$schema": DIALECT,
            "$defs": definitions,
            "type": "object",
            "properties": {
                name: {"$ref": DEFINITIONS + name_in_ruleset(place)}
                for name, place in shown.items()
            },
        },
    }


def effect_of(ruleset: Ruleset[RuleState]) -> Any:
    """The union of a ruleset's effects: what its events hold a tuple of."""
    return get_args(get_type_hints(ruleset.event)["effects"])[0]


def decision_of(ruleset: Ruleset[RuleState]) -> type[Decision]:
    """What a pending decision of a ruleset is: its state's groups hold tuples of them."""
    group = get_args(get_type_hints(ruleset.state)["pending"])[0]
    kind: type[Decision] = get_args(get_type_hints(group)["decisions"])[0]
    return kind


def common_actions(rulesets: Sequence[Ruleset[RuleState]]) -> Any:
    """The union of the actions that are the same in all of these rulesets."""
    first, *others = (get_args(ruleset.action) for ruleset in rulesets)
    return reduce(or_, (kind for kind in first if all(kind in other for other in others)))


def edition_of(ruleset: Ruleset[RuleState]) -> str:
    """What a version of a ruleset is called here: its slug, `slug-v2` for its version 2."""
    return ruleset.slug if ruleset.version == "1" else f"{ruleset.slug}-v{ruleset.version}"


def camel(slug: str) -> str:
    """`crossfire-d6` -> `CrossfireD6`."""
    return "".join(word.capitalize() for word in slug.split("-"))


def name_in_ruleset(place: ComponentKey) -> str:
    """The name of a component where all of them are one ruleset's."""
    return place.kind if isinstance(place.kind, str) else place.kind.__name__


def name_of(place: ComponentKey) -> str:
    """The name of a component among those of all rulesets."""
    return camel(place.ruleset) + name_in_ruleset(place)


def _fields(ruleset: Ruleset[RuleState]) -> dict[ComponentKey, Mapping[str, Schema]]:
    edition = edition_of(ruleset)
    action = ComponentKey("Action", "told", edition).reference
    choice = ComponentKey("Choice", "told", edition).reference
    held: dict[ComponentKind, Mapping[str, Schema]] = {
        Declared: {"action": action},
        Suspended: {"action": action, "remainder": {"type": "object"}},
        Chosen: {"choice": choice},
        Sealed: {"choice": choice},
        DecisionClosed: {"full": choice},
        ruleset.event: _seals(),
    }
    return {
        ComponentKey(kind, "told", edition): fields
        for kind in structs_in((ruleset.event, ruleset.state))
        for base, fields in held.items()
        if issubclass(kind, base)
    }


def _seals() -> dict[str, Schema]:
    """What the stored event has besides its own fields."""
    digest: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    return {
        "sealed": {"description": "Digest of the commitments to all parts.", **digest},
        "prev": {"description": "Hash of the event before; 64 zeros for the first.", **digest},
    }
