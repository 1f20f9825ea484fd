"""Schemas of a ruleset's own types: its setup, actions, effects, events and state."""

from dataclasses import dataclass
from typing import Any, Final, get_args, get_type_hints

from service.api.openapi.schemas import Schema, components
from service.engine.ruleset import Ruleset, choices_of
from service.engine.state import Decision, Linear, RuleState

DEFINITIONS: Final = "#/$defs/"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class RulesetComponents:
    """The components of one ruleset and, of those, the names of the ones others refer to."""

    slug: str
    components: dict[str, Schema]
    setup: str
    action: str
    event: str
    state: str
    table: str
    board: str
    decision: str
    choice: str


def ruleset_components(ruleset: Ruleset[RuleState]) -> RulesetComponents:
    """Everything a ruleset adds to the OpenAPI document, under names that begin with its own."""
    prefix = camel(ruleset.slug)

    def asked(name: str) -> str:
        return f"{prefix}{name}"

    def seen(name: str) -> str:
        return f"{prefix}{name}Seen"

    _, requests = components([ruleset.setup, ruleset.action], asked)
    (action, choice), _ = components([ruleset.action, choices_of(ruleset)], asked)
    kinds: list[type] = [ruleset.event, ruleset.state, Linear, ruleset.blob]
    _, views = components(kinds, seen, seen=True)
    event, state, table, board = (seen(_name(kind)) for kind in kinds)
    views[event]["properties"] |= _seals()
    return RulesetComponents(
        slug=ruleset.slug,
        components={
            **requests,
            f"{prefix}Action": action,
            f"{prefix}Choice": choice,
            **views,
        },
        setup=asked(_name(ruleset.setup)),
        action=f"{prefix}Action",
        event=event,
        state=state,
        table=table,
        board=board,
        decision=seen(_name(_decision_of(ruleset))),
        choice=f"{prefix}Choice",
    )


def ruleset_schemas(ruleset: Ruleset[RuleState]) -> Schema:
    """One JSON Schema document with all of a ruleset's own types."""
    effect = get_args(get_type_hints(ruleset.event)["effects"])[0]
    asked, definitions = components([ruleset.setup, ruleset.action], str, at=DEFINITIONS)
    kinds: list[Any] = [effect, ruleset.state, Linear, ruleset.blob]
    shown, views = components(kinds, lambda name: f"{name}Seen", seen=True, at=DEFINITIONS)
    return {
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "schema": {
            "$schema": DIALECT,
            "$defs": {**definitions, **views},
            "type": "object",
            "properties": {
                "setup": asked[0],
                "action": asked[1],
                "effect": shown[0],
                "state": shown[1],
                "table": shown[2],
                "map": shown[3],
            },
        },
    }


def camel(slug: str) -> str:
    """`crossfire-d6` -> `CrossfireD6`."""
    return "".join(word.capitalize() for word in slug.split("-"))


def _decision_of(ruleset: Ruleset[RuleState]) -> type[Decision]:
    """What a pending decision of a ruleset is: its state's groups hold tuples of them."""
    group = get_args(get_type_hints(ruleset.state)["pending"])[0]
    kind: type[Decision] = get_args(get_type_hints(group)["decisions"])[0]
    return kind


def _name(kind: type) -> str:
    return kind.__name__


def _seals() -> dict[str, Schema]:
    """What the stored event has besides its own fields."""
    digest: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    return {
        "sealed": {**digest, "description": "Digest of the commitments to all parts."},
        "prev": {**digest, "description": "Hash of the event before; 64 zeros for the first."},
    }
