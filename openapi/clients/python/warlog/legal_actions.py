"""What may be done now, as a tree that a program or a person can walk without knowing the rules.

How this works. A tree has actors, an actor has nodes (one for each type of action), a node has
parameters, and a parameter has a domain: the values that are allowed. A value may bring its
own parameters. `LegalNode.complete` makes an action of chosen values, and says what is missing.
"""

from collections.abc import Mapping, Sequence
from math import isqrt
from random import Random
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from warlog.records import Json

DomainKind: TypeAlias = Literal[
    "one_of", "cells", "int_range", "some_of", "accepted", "disc", "path", "list_of", "params"
]
KINDS: tuple[DomainKind, ...] = (
    "one_of",
    "cells",
    "int_range",
    "some_of",
    "accepted",
    "disc",
    "path",
    "list_of",
    "params",
)
ACTOR_FIELDS = ("combatant", "unit", "side")
ANYWHERE = 30
"""Radius in which a point is picked where any will do."""


class NotListed(ValueError):
    """A value that the domain of its parameter does not hold, or that is missing.

    `parameter` is the name, `allowed` the domain as it came.
    """

    def __init__(self, parameter: str, why: str, allowed: object) -> None:
        super().__init__(f"{parameter} {why}")
        self.parameter = parameter
        self.allowed = allowed


class Choice(Struct, frozen=True):
    """A value that may be sent, and the parameters that come next to it.

    Of `cells` `value` is a path, `place` the cell where it ends with what it costs.
    """

    value: Any
    params: Mapping[str, "Domain"] = {}
    place: Json | None = None


class Domain:
    """What a parameter may be; `raw` is the domain as the service lists it."""

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.is_optional: bool = raw.get("optional", False)
        self.kind: DomainKind = next(each for each in KINDS if each in raw)

    @property
    def is_complete(self) -> bool:
        """Whether no value is allowed that `choices` does not list."""
        return self.kind in ("one_of", "cells") and "beyond_ft" not in self.raw

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number of an `int_range`, or of members of `some_of`."""
        bounds = self.raw["int_range"] if self.kind == "int_range" else self.raw
        return bounds["min"], bounds["max"]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The values that are listed; none where only bounds are shown."""
        match self.kind:
            case "one_of":
                return tuple(map(_member, self.raw["one_of"]))
            case "cells":
                return tuple(map(_cell, self.raw["cells"]))
            case "accepted" | "some_of":
                return tuple(map(Choice, self.raw[self.kind]))
            case _:
                return ()

    @property
    def params(self) -> Mapping[str, "Domain"]:
        """The properties of an object."""
        return domains(self.raw.get("params", {}))

    @property
    def element(self) -> "Domain":
        """What each value of a `list_of` may be."""
        return Domain(self.raw["list_of"])

    def __repr__(self) -> str:
        return f"Domain({self.raw!r})"


class LegalNode:
    """A type of action that is open to `actor` (`combatant`, `unit` or `side`, and its id).

    `example` is a complete action that is allowed now; `decision` the question that an `answer` is
    for; `raw` the node as the service lists it.
    """

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.type: str = raw["type"]
        self.params = domains(raw["params"])
        self.example: Json = raw["example"]
        self.decision: Json | None = raw.get("decision")
        self.actor = {
            name: self.example[name]
            for name in ACTOR_FIELDS
            if name in self.example and name not in self.params
        }

    def complete(self, choices: Mapping[str, Any] | None = None, /, **more: Any) -> Json:
        """The action with these values for its parameters.

        A cell represents the listed path that ends there; a nested object is a mapping. Optional
        parameters may be left out. Raises NotListed.
        """
        chosen = {**(choices or {}), **more}
        action: Json = {"type": self.type, **self.actor}
        used = _fill(action, self.params, chosen)
        for name in chosen:
            if name not in used:
                raise NotListed(name, f"is no parameter of {self.type} here", sorted(used))
        return action

    def random(self, chance: Random) -> Json:
        """Some action of this node: every listed value is as likely, what is optional half so."""
        action: Json = {"type": self.type, **self.actor}
        _pick_all(action, self.params, chance)
        return action

    def __repr__(self) -> str:
        return f"LegalNode({self.type!r}, {self.actor!r}, {sorted(self.params)!r})"


class LegalActor(Struct, frozen=True, kw_only=True):
    """Somebody who may act: `kind` is `combatant`, `unit` or `side`, empty for the table."""

    kind: str
    id: str
    actions: tuple[LegalNode, ...]


class LegalTree(Struct, frozen=True, kw_only=True):
    """What may be done behind event `version`; `samples` are complete actions if asked for."""

    ruleset: str
    version: int
    actors: tuple[LegalActor, ...]
    samples: tuple[Json, ...] = ()

    @property
    def actions(self) -> tuple[LegalNode, ...]:
        """All nodes of all actors."""
        return tuple(node for actor in self.actors for node in actor.actions)

    def find(self, type: str, **actor: str) -> LegalNode | None:  # noqa: A002
        """The first node of a type of action; of an actor if one is named (`combatant="mara"`)."""
        wanted = actor.items()
        for node in self.actions:
            if node.type == type and wanted <= node.actor.items():
                return node
        return None


def legal_tree(answer: Json) -> LegalTree:
    """The tree of an answer of `legal-actions`."""
    listed = answer.get("actors", [answer])
    return LegalTree(
        ruleset=answer["ruleset"],
        version=answer["version"],
        actors=tuple(map(_actor, listed)),
        samples=tuple(answer.get("samples", ())),
    )


def domains(raw: Mapping[str, Json]) -> Mapping[str, Domain]:
    """Parameters by name."""
    return {name: Domain(each) for name, each in raw.items()}


def _actor(raw: Json) -> LegalActor:
    kind = next((name for name in ACTOR_FIELDS if name in raw), "")
    nodes = tuple(map(LegalNode, raw["actions"]))
    return LegalActor(kind=kind, id=raw.get(kind, ""), actions=nodes)


def _member(raw: Any) -> Choice:
    if isinstance(raw, Mapping) and "params" in raw:
        return Choice(raw["value"], domains(raw["params"]))
    return Choice(raw)


def _cell(raw: Json) -> Choice:
    return Choice(raw["path"], domains(raw.get("params", {})), raw)


def _fill(into: Json, params: Mapping[str, Domain], chosen: Mapping[str, Any]) -> set[str]:
    """Lay chosen values into an action; the names that were looked at. Raises NotListed."""
    used = set(params)
    for name, domain in params.items():
        if name not in chosen:
            if not domain.is_optional:
                raise NotListed(name, "is missing", domain.raw)
            continue
        choice = _choice(name, domain, chosen[name])
        into[name] = choice.value
        used |= _fill(into, choice.params, chosen)
    return used


def _choice(name: str, domain: Domain, value: Any) -> Choice:
    match domain.kind:
        case "one_of" | "cells":
            return _listed(name, domain, value)
        case "int_range":
            least, most = domain.bounds
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise NotListed(name, f"is a whole number from {least} to {most}", domain.raw)
            return Choice(value)
        case "some_of":
            return Choice(_several(name, domain, value))
        case "list_of":
            if len(value) != domain.raw["length"]:
                raise NotListed(name, f"has {domain.raw['length']} values", domain.raw)
            return Choice([_choice(name, domain.element, each).value for each in value])
        case "params":
            inner: Json = {}
            _fill(inner, domain.params, value)
            return Choice(inner)
        case "accepted" | "disc" | "path":
            return Choice(value)


def _listed(name: str, domain: Domain, value: Any) -> Choice:
    for choice in domain.choices:
        if choice.value == value or (choice.place is not None and _ends_at(choice.place, value)):
            return choice
    if domain.is_complete:
        raise NotListed(name, "is none of those that are listed", domain.raw)
    return Choice(value)


def _ends_at(cell: Json, value: Any) -> bool:
    return isinstance(value, Mapping) and (value.get("x"), value.get("y")) == (cell["x"], cell["y"])


def _several(name: str, domain: Domain, value: Sequence[Any]) -> list[Any]:
    least, most = domain.bounds
    members = domain.raw["some_of"]
    is_listed = all(each in members and list(value).count(each) == 1 for each in value)
    if not least <= len(value) <= most or not is_listed:
        raise NotListed(name, f"is a list of {least} to {most} of those listed", domain.raw)
    return list(value)


def _pick_all(into: Json, params: Mapping[str, Domain], chance: Random) -> None:
    for name, domain in params.items():
        if not domain.is_optional or chance.random() < 0.5:
            choice = _picked(domain, chance)
            into[name] = choice.value
            _pick_all(into, choice.params, chance)


def _picked(domain: Domain, chance: Random) -> Choice:
    match domain.kind:
        case "one_of" | "cells" | "accepted":
            return chance.choice(domain.choices)
        case "int_range":
            return Choice(chance.randint(*domain.bounds))
        case "some_of":
            members = domain.raw["some_of"]
            wanted = chance.sample(range(len(members)), chance.randint(*domain.bounds))
            return Choice([members[at] for at in sorted(wanted)])
        case "disc":
            return Choice(_point(domain.raw["disc"], chance))
        case "path":
            way = domain.raw["path"]
            return Choice([_point({**way, "radius": way["budget"]}, chance)])
        case "list_of":
            count = domain.raw["length"]
            return Choice([_picked(domain.element, chance).value for _ in range(count)])
        case "params":
            inner: Json = {}
            _pick_all(inner, domain.params, chance)
            return Choice(inner)


def _point(disc: Json, chance: Random) -> Json:
    radius = disc.get("radius", ANYWHERE)
    dx = chance.randint(-radius, radius)
    height = isqrt(radius * radius - dx * dx)
    return {"x": disc["x"] + dx, "y": disc["y"] + chance.randint(-height, height)}
