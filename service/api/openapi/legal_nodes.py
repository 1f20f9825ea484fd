"""What `legal-actions` lists: a node for each type of action, and domains of its parameters.

The words are those of `ruleset.legal_nodes`; a test reads real answers of both rulesets by them.
"""

from typing import Final, get_args

from service.api.openapi.components import ComponentKey
from service.api.openapi.rulesets import edition_of
from service.api.openapi.schemas import Schema, one_of
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import (
    Answer,
    CombatantAction,
    JointAction,
    SideAction,
    UnitAction,
)

NODE: Final = "LegalNode"

_NAMING_WHO: Final = CombatantAction | JointAction | SideAction | UnitAction | Answer
"""Actions that say who acts, or who is asked."""


def _object(needed: dict[str, Schema], more: dict[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**needed, **(more or {})},
        "required": list(needed),
    }


def _place(name: str) -> ComponentKey:
    return ComponentKey(name, "told")


def _whole(says: str) -> Schema:
    return {"type": "integer", "description": says}


def _text(says: str) -> Schema:
    return {"type": "string", "description": says}


def _with_text(says: str, schema: Schema) -> Schema:
    return {"description": says, **schema}


def _list(says: str, items: Schema) -> Schema:
    return {"type": "array", "description": says, "items": items}


_X: Final = _whole("Horizontal coordinate, in the unit of the ruleset's places.")
_Y: Final = _whole("Vertical coordinate, in the same unit.")
_OPTIONAL: Final[dict[str, Schema]] = {
    "optional": {"type": "boolean", "description": "Whether it may be left out; else it may not."}
}
_UNIT: Final = _text(
    "What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth"
    " of a step."
)
_POINT: Final = _place("DomainPoint").reference
_FORMS: Final = (
    "OneOfDomain",
    "CellsDomain",
    "PricedCellsDomain",
    "RangeDomain",
    "DiscDomain",
    "PathDomain",
    "ObjectDomain",
    "ListDomain",
    "SomeOfDomain",
)


def _any_domain() -> Schema:
    return {"anyOf": [_place(name).reference for name in _FORMS]}


def _params(says: str) -> Schema:
    """Domains by the name of the parameter."""
    return {"type": "object", "description": says, "additionalProperties": _any_domain()}


_CELL: Final = _object(
    {
        "x": _whole("Column of the cell where the path ends."),
        "y": _whole("Row of the cell where the path ends."),
        "cost_ft": _whole("Feet of movement that the shown path costs, never over the budget."),
        "path": _list("One path that ends there, cell by cell: a value to send.", _POINT),
        "params": _params("Parameters that may stand beside this path, by name."),
    }
)
_PRICED_CELL: Final = _object(
    {
        "x": _whole("Column of the cell where the path ends."),
        "y": _whole("Row of the cell where the path ends."),
        "cost_mp": _whole("Movement points that the shown path costs, never over the budget."),
        "path": _list("One path that ends there, cell by cell: a value to send.", _POINT),
    }
)
_AIM: Final = _object(
    {},
    {
        "target": _text("Id of a combatant; stated where no cell is."),
        "cell": _with_text("Cell of an object; stated where no target is.", _POINT),
    },
)
_DISC: Final = _object(
    {
        "x": _whole("Horizontal coordinate of the centre, in `unit`."),
        "y": _whole("Vertical coordinate of the centre, in `unit`."),
        "unit": _UNIT,
    },
    {"radius": _whole("How far from the centre at most, in `unit`; absent: any point will do.")},
)
_WAY: Final = _object(
    {
        "x": _whole("Horizontal coordinate of the start, in `unit`."),
        "y": _whole("Vertical coordinate of the start, in `unit`."),
        "unit": _UNIT,
        "budget": _whole("What all legs may come to, in `unit`."),
        "longest": _whole("The most points of the path."),
        "metric": _text("How legs are counted; `legs_rounded_up`: each up to a whole number."),
    }
)
_BEYOND: Final[dict[str, Schema]] = {
    "beyond_ft": _whole("Feet up to which more is accepted than is listed; absent: all is listed.")
}
_FORBIDDEN: Final = (
    "absent: all that the domain allows is accepted. Where it is there, the ground or somebody on"
    " it may forbid others."
)
_BOUNDS: Final = _object(
    {"min": _whole("The least value."), "max": _whole("The greatest value.")}, {"unit": _UNIT}
)


def domains() -> dict[ComponentKey, Schema]:
    """The domains of parameters, distinguished by the property that is there, and what is
    in them.
    """
    described = {
        "DomainPoint": ("A point or a cell.", _object({"x": _X, "y": _Y})),
        "DomainMember": (
            "A value that brings parameters beside it.",
            _object(
                {
                    "value": _text("The value to send."),
                    "params": _params("Parameters that come beside this value, by name."),
                }
            ),
        ),
        "DomainCell": ("Where a path may end, what it costs, and one path to it.", _CELL),
        "DomainTarget": ("What one shot of several is aimed at: a combatant or a cell.", _AIM),
        "PricedCell": ("Where a path may end, what it costs, and one path to it.", _PRICED_CELL),
        "OneOfDomain": (
            "One of these.",
            _object(
                {
                    "one_of": _list(
                        "Values that may be sent, all unless there is `beyond_ft`; of a"
                        " `DomainMember` its `value`.",
                        {
                            "anyOf": [
                                {"type": "string"},
                                {"type": "boolean"},
                                _place("DomainMember").reference,
                                _POINT,
                                _place("DomainTarget").reference,
                                {"type": "array", "items": {"type": "string"}},
                            ]
                        },
                    )
                },
                {"unit": _UNIT, **_BEYOND, **_OPTIONAL},
            ),
        ),
        "CellsDomain": (
            "A path to one of these cells, by steps that `metric` counts.",
            _object(
                {
                    "cells": _list(
                        "Other cells where the path may end, all unless there is `beyond_ft`.",
                        _place("DomainCell").reference,
                    ),
                    "unit": _UNIT,
                    "budget_ft": _whole("Feet of movement that a path may cost."),
                    "metric": _text("How steps are counted: the option `diagonal_rule`."),
                },
                {**_BEYOND, **_OPTIONAL},
            ),
        ),
        "PricedCellsDomain": (
            "A path to one of these cells, each step at its price in movement points.",
            _object(
                {
                    "cells": _list(
                        "Cells where the path may end, all that are not too far to be listed.",
                        _place("PricedCell").reference,
                    ),
                    "unit": _UNIT,
                    "budget_mp": _whole("Movement points that a path may cost."),
                },
                _OPTIONAL,
            ),
        ),
        "RangeDomain": (
            "A whole number between two, both included.",
            _object({"int_range": _with_text("The two bounds.", _BOUNDS)}, _OPTIONAL),
        ),
        "DiscDomain": (
            "A point at most `radius` from another; without a radius, any point.",
            _object(
                {"disc": _with_text("Where the point may be.", _DISC)},
                {"accepted": _list(f"Points that are accepted; {_FORBIDDEN}", _POINT), **_OPTIONAL},
            ),
        ),
        "PathDomain": (
            "At most `longest` points from here on whose legs, each rounded up to a whole number,"
            " come to `budget` at most.",
            _object(
                {"path": _with_text("Where it starts and how far it may go.", _WAY)},
                {
                    "accepted": _list(
                        f"Paths that are accepted; {_FORBIDDEN}",
                        {"type": "array", "items": _POINT},
                    ),
                    **_OPTIONAL,
                },
            ),
        ),
        "LegalDecision": (
            "The question that an answer is for.",
            _object(
                {
                    "id": _text("Id of the decision, for `decision_id` of the answer."),
                    "kind": _text("What is asked for, such as `reaction`."),
                    "options": _list("Kinds of answers it offers.", {"type": "string"}),
                    "default": _text("The option that stands if nobody answers."),
                },
                {"context": {"type": "object", "description": "What it is about."}},
            ),
        ),
        "ObjectDomain": (
            "An object of parameters.",
            _object({"params": _params("What its properties may be, by name.")}, _OPTIONAL),
        ),
        "SomeOfDomain": (
            "A list of distinct members of these, in any order.",
            _object(
                {
                    "some_of": _list(
                        "Values that the list may hold.",
                        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                    ),
                    "min": _whole("How many it holds at least."),
                    "max": _whole("How many it holds at most."),
                },
                _OPTIONAL,
            ),
        ),
        "ListDomain": (
            "A list of exactly `length` values, each of one domain.",
            _object(
                {
                    "list_of": _with_text("What each value may be.", _any_domain()),
                    "length": _whole("How many values it has."),
                },
                _OPTIONAL,
            ),
        ),
    }
    return {
        _place(name): {"description": says, **schema} for name, (says, schema) in described.items()
    }


def nodes(ruleset: Ruleset[RuleState]) -> dict[ComponentKey, Schema]:
    """The nodes of a ruleset by the type of their action, and their union."""
    edition = edition_of(ruleset)
    described: dict[ComponentKey, Schema] = {}
    tagged: dict[str, Schema] = {}
    for kind in get_args(ruleset.action):
        if not issubclass(kind, _NAMING_WHO):
            continue
        tag = str(kind.__struct_config__.tag)
        place = ComponentKey(f"{kind.__name__}Node", "told", edition)
        more: dict[str, Schema] = {}
        if issubclass(kind, Answer):
            more["decision"] = _with_text(
                "The question that the answer is for.", _place("LegalDecision").reference
            )
        described[place] = {
            "description": f"An action of `{ruleset.slug}` that may be taken now, its parameters, "
            "and one example.",
            **_object(
                {
                    "type": {
                        "type": "string",
                        "const": tag,
                        "description": "`type` of the action.",
                    },
                    "params": _params(
                        "What its parameters may be, by name; whose action it is (`combatant`,"
                        " `unit`, `side`) is given."
                    ),
                    "example": _with_text(
                        "One complete action of this type that is allowed now.",
                        ComponentKey(kind, "taken", edition).reference,
                    ),
                },
                more,
            ),
        }
        tagged[tag] = place.reference
    return {**described, ComponentKey(NODE, "told", edition): one_of("type", tagged)}
