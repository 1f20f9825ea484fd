"""What may be done now, as `legal-actions` lists it: nodes with a domain per parameter.

A node is `{type, params, example}`; the example is a complete action that is accepted now. A domain
is one of

    {one_of: [...]}        a value; a member `{value, params}` brings parameters beside it
    {cells: [...]}         a path: every other cell it may end on, with one path and more parameters
    {int_range: {min, max}}
    {disc: {x, y, radius}} a point at most `radius` from there; without a radius, any point
    {path: {x, y, budget, longest}}  points whose legs, each rounded up, come to `budget` at most
    {params: {...}}        an object of parameters
    {list_of: {...}, length}  a list of exactly so many values of one domain, each picked freely
    {some_of: [...], min, max}  a list of distinct members, no fewer and no more than that

and `optional` domains may be left out. A domain of places or of a radius says in which `unit` they
are, in the words of a scene: beside `cells` or points, and within `int_range`, `disc` and `path`.
Where not all values that are accepted are listed, being too many, `beyond_ft` beside `cells` or
`one_of` says up to how many feet away others are. Where the ground or somebody on it may forbid
what a disc or a path allows, `accepted` beside it lists values that are accepted now.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Literal, NamedTuple

import msgspec

from service.engine.vocabulary.actions import Action
from service.errors import Refused

Domain = Mapping[str, object]
"""The values of a parameter, in one of the forms above."""

LegalNode = Mapping[str, object]
"""A type of action, its parameters and an example."""

NodeUse = Literal["attack", "approach", "other"]
"""What actions are for: to strike somebody they name, to come to another place, or else."""


class NodeSource(NamedTuple):
    """Nodes of one use, worked out when they are asked for: to list all may take long."""

    use: NodeUse
    make: Callable[[], Iterable[LegalNode]]


def ready(*nodes: LegalNode) -> tuple[NodeSource, ...]:
    """Nodes that are there already."""
    return tuple(NodeSource("other", partial(tuple, (each,))) for each in nodes)


ACTOR_FIELDS: Final = ("combatant", "unit", "side")
"""Fields of an action that say who acts: they are no parameters, the example has them."""

FARTHEST: Final = 200_000
"""The largest coordinate of a point."""


def node(params: Mapping[str, Domain], example: Action) -> LegalNode:
    """A node: the type of the example, its parameters, and the example itself."""
    builtins: Mapping[str, object] = msgspec.to_builtins(example)
    return {"type": builtins["type"], "params": params, "example": builtins}


def one_of(values: Iterable[object], *, optional: bool = False) -> Domain:
    """One of these."""
    return _domain({"one_of": list(values)}, optional)


def int_range(least: int, most: int, *, optional: bool = False, unit: str | None = None) -> Domain:
    """A whole number between these, both included; of `unit`, where it is a length."""
    bounds = {"min": least, "max": most}
    return _domain({"int_range": bounds if unit is None else {**bounds, "unit": unit}}, optional)


def list_of(domain: Domain, length: int) -> Domain:
    """A list of exactly `length` values, each of this domain."""
    return {"list_of": domain, "length": length}


def some_of(values: Iterable[object], least: int, most: int) -> Domain:
    """A list of distinct values of these, from `least` to `most` of them."""
    return {"some_of": list(values), "min": least, "max": most}


def with_params(value: object, params: Mapping[str, Domain]) -> object:
    """A member that brings parameters; alone if it brings none."""
    return {"value": value, "params": params} if params else value


def is_allowed(require: Callable[[], object]) -> bool:
    """Whether a check refuses nothing."""
    try:
        require()
    except Refused:
        return False
    return True


def _domain(domain: Domain, optional: bool) -> Domain:
    return {**domain, "optional": True} if optional else domain
