"""What `legal-actions` lists: a node for each type of action, and domains of its parameters.

The words are those of `engine.domains`; a test reads real answers of both rulesets by them.
"""

from typing import Final, get_args

from service.api.openapi.components import Place
from service.api.openapi.schemas import Schema, one_of
from service.engine.actions import Answer, CombatantAction
from service.engine.ruleset import Ruleset
from service.engine.state import RuleState

NODE: Final = "LegalNode"


def _object(needed: dict[str, Schema], more: dict[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**needed, **(more or {})},
        "required": list(needed),
    }


def _place(name: str) -> Place:
    return Place(name, "told")


_WHOLE: Final[Schema] = {"type": "integer"}
_OPTIONAL: Final[dict[str, Schema]] = {
    "optional": {"type": "boolean", "description": "Whether it may be left out; else it may not."}
}
_POINT: Final = _place("DomainPoint").reference
_FORMS: Final = (
    "OneOfDomain",
    "CellsDomain",
    "RangeDomain",
    "DiscDomain",
    "PathDomain",
    "ObjectDomain",
)
_PARAMS: Final[Schema] = {
    "type": "object",
    "additionalProperties": {"anyOf": [_place(name).reference for name in _FORMS]},
}


def domains() -> dict[Place, Schema]:
    """The domains of parameters, told apart by the property that is there, and what is in them."""
    cell = _object(
        {
            "x": _WHOLE,
            "y": _WHOLE,
            "cost_ft": _WHOLE,
            "path": {"type": "array", "items": _POINT},
            "params": _PARAMS,
        }
    )
    described = {
        "DomainPoint": ("A point or a cell.", _object({"x": _WHOLE, "y": _WHOLE})),
        "DomainMember": (
            "A value that brings parameters beside it.",
            _object({"value": {"type": "string"}, "params": _PARAMS}),
        ),
        "DomainCell": ("Where a path may end, what it costs, and one path to it.", cell),
        "OneOfDomain": (
            "One of these.",
            _object(
                {
                    "one_of": {
                        "type": "array",
                        "items": {
                            "anyOf": [
                                {"type": "string"},
                                {"type": "boolean"},
                                _place("DomainMember").reference,
                                _POINT,
                            ]
                        },
                    }
                },
                _OPTIONAL,
            ),
        ),
        "CellsDomain": (
            "A path to one of these cells, by steps that `metric` counts.",
            _object(
                {
                    "cells": {"type": "array", "items": _place("DomainCell").reference},
                    "budget_ft": _WHOLE,
                    "metric": {"type": "string"},
                },
                _OPTIONAL,
            ),
        ),
        "RangeDomain": (
            "A whole number between two, both included.",
            _object({"int_range": _object({"min": _WHOLE, "max": _WHOLE})}, _OPTIONAL),
        ),
        "DiscDomain": (
            "A point at most `radius` metres from another; without a radius, any point.",
            _object({"disc": _object({"x": _WHOLE, "y": _WHOLE}, {"radius": _WHOLE})}, _OPTIONAL),
        ),
        "PathDomain": (
            "At most `longest` points from here on whose legs, in whole metres and each rounded up,"
            " come to `budget` at most.",
            _object(
                {
                    "path": _object(
                        {
                            "x": _WHOLE,
                            "y": _WHOLE,
                            "budget": _WHOLE,
                            "longest": _WHOLE,
                            "metric": {"type": "string"},
                        }
                    )
                },
                _OPTIONAL,
            ),
        ),
        "LegalDecision": (
            "The question that an answer is for.",
            _object(
                {
                    "id": {"type": "string"},
                    "kind": {"type": "string"},
                    "options": {"type": "array", "items": {"type": "string"}},
                    "default": {"type": "string"},
                },
                {"context": {"type": "object", "description": "What it is about."}},
            ),
        ),
        "ObjectDomain": ("An object of parameters.", _object({"params": _PARAMS}, _OPTIONAL)),
    }
    return {
        _place(name): {"description": says, **schema} for name, (says, schema) in described.items()
    }


def nodes(ruleset: Ruleset[RuleState]) -> dict[Place, Schema]:
    """The nodes of a ruleset by the type of their action, and their union."""
    slug = ruleset.slug
    described: dict[Place, Schema] = {}
    tagged: dict[str, Schema] = {}
    for kind in get_args(ruleset.action):
        if not issubclass(kind, CombatantAction | Answer):
            continue
        tag = str(kind.__struct_config__.tag)
        place = Place(f"{kind.__name__}Node", "told", slug)
        more: dict[str, Schema] = {}
        if issubclass(kind, Answer):
            more["decision"] = _place("LegalDecision").reference
        described[place] = {
            "description": "An action that may be taken now, its parameters, and one example.",
            **_object(
                {
                    "type": {"type": "string", "const": tag},
                    "params": _PARAMS,
                    "example": Place(kind, "taken", slug).reference,
                },
                more,
            ),
        }
        tagged[tag] = place.reference
    return {**described, Place(NODE, "told", slug): one_of("type", tagged)}
