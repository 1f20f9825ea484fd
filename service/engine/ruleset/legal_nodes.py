"""What may be done now, as `legal-actions` lists it: nodes with a domain per parameter.

How this works. A node has the type of an action, a domain for each parameter, and an example that
is accepted now. Readers of JSON tell domains apart by the member that is there, so these types have
no tag: a field that may hold several of them names their base (`Domain`, `DomainValue`). The
documents list the types behind a base (`DOMAINS`, `VALUES`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.open_decisions import Decision
from service.engine.geometry.points import Cell
from service.engine.vocabulary.actions import Action, Answer
from service.errors import Refused

NodeUse = Literal["attack", "approach", "other"]
"""What actions are for: to strike somebody they name, to come to another place, or else."""


class DomainValue(Struct, frozen=True):
    """A listed value that JSON writes as an object."""


class Domain(Struct, frozen=True, kw_only=True):
    """The values of a parameter."""

    optional: bool | UnsetType = UNSET
    """Whether it may be left out; else it may not."""


Params = Mapping[str, Domain]
"""Domains by the name of the parameter."""


class DomainMember(DomainValue, frozen=True, kw_only=True):
    """A value that brings parameters beside it."""

    value: str
    """The value to send."""
    params: Params
    """Parameters that come beside this value, by name."""


class DomainPoint(DomainValue, frozen=True, gc=False):
    """A point or a cell."""

    x: int
    """Horizontal coordinate, in the unit of the ruleset's places."""
    y: int
    """Vertical coordinate, in the same unit."""


class DomainTarget(DomainValue, frozen=True, kw_only=True):
    """What one shot of several is aimed at: a combatant or a cell."""

    target: str | UnsetType = UNSET
    """Id of a combatant; stated where no cell is."""
    cell: DomainPoint | UnsetType = UNSET
    """Cell of an object; stated where no target is."""


ListedValue = str | bool | DomainValue | tuple[str, ...]
"""A value that is listed for a parameter."""


class OneOfDomain(Domain, frozen=True, kw_only=True):
    """One of these."""

    one_of: tuple[ListedValue, ...]
    """Values that may be sent, all unless there is `beyond_ft`; of a `DomainMember` its `value`."""
    unit: str | UnsetType = UNSET
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""
    beyond_ft: int | UnsetType = UNSET
    """Feet up to which more is accepted than is listed; absent: all is listed."""


class DomainCell(Struct, frozen=True, kw_only=True):
    """Where a path may end, what it costs, and one path to it."""

    x: int
    """Column of the cell where the path ends."""
    y: int
    """Row of the cell where the path ends."""
    cost_ft: int
    """Feet of movement that the shown path costs, never over the budget."""
    path: tuple[DomainPoint, ...]
    """One path that ends there, cell by cell: a value to send."""
    params: Params
    """Parameters that may stand beside this path, by name."""


class CellsDomain(Domain, frozen=True, kw_only=True):
    """A path to one of these cells, by steps that `metric` counts."""

    cells: tuple[DomainCell, ...]
    """Other cells where the path may end, all unless there is `beyond_ft`."""
    unit: str
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""
    budget_ft: int
    """Feet of movement that a path may cost."""
    metric: str
    """How steps are counted: the option `diagonal_rule`."""
    beyond_ft: int | UnsetType = UNSET
    """Feet up to which more is accepted than is listed; absent: all is listed."""


class PricedCell(Struct, frozen=True, kw_only=True):
    """Where a path may end, what it costs, and one path to it."""

    x: int
    """Column of the cell where the path ends."""
    y: int
    """Row of the cell where the path ends."""
    cost_mp: int
    """Movement points that the shown path costs, never over the budget."""
    path: tuple[DomainPoint, ...]
    """One path that ends there, cell by cell: a value to send."""


class PricedCellsDomain(Domain, frozen=True, kw_only=True):
    """A path to one of these cells, each step at its price in movement points."""

    cells: tuple[PricedCell, ...]
    """Cells where the path may end, all that are not too far to be listed."""
    unit: str
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""
    budget_mp: int
    """Movement points that a path may cost."""


class RangeBounds(Struct, frozen=True, kw_only=True):
    """The least and the greatest whole number, both included."""

    min: int
    """The least value."""
    max: int
    """The greatest value."""
    unit: str | UnsetType = UNSET
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""


class RangeDomain(Domain, frozen=True, kw_only=True):
    """A whole number between two, both included."""

    int_range: RangeBounds
    """The two bounds."""


class DiscBounds(Struct, frozen=True, kw_only=True):
    """Where a point may be: all round a centre."""

    x: int
    """Horizontal coordinate of the centre, in `unit`."""
    y: int
    """Vertical coordinate of the centre, in `unit`."""
    unit: str
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""
    radius: int | UnsetType = UNSET
    """How far from the centre at most, in `unit`; absent: any point will do."""


class DiscDomain(Domain, frozen=True, kw_only=True):
    """A point at most `radius` from another; without a radius, any point."""

    disc: DiscBounds
    """Where the point may be."""
    accepted: tuple[DomainPoint, ...] | UnsetType = UNSET
    """Points that are accepted; absent: all that the domain allows is accepted. Where it is there,
    the ground or somebody on it may forbid others."""


class PathBounds(Struct, frozen=True, kw_only=True):
    """Where a path starts and how far it may go."""

    x: int
    """Horizontal coordinate of the start, in `unit`."""
    y: int
    """Vertical coordinate of the start, in `unit`."""
    unit: str
    """What one step of a coordinate or length is: `cell_5ft`, `cell`, `metre`, or `u`, a thousandth
    of a step."""
    budget: int
    """What all legs may come to, in `unit`."""
    longest: int
    """The most points of the path."""
    metric: str
    """How legs are counted; `legs_rounded_up`: each up to a whole number."""


class PathDomain(Domain, frozen=True, kw_only=True):
    """At most `longest` points from here on whose legs, each rounded up to a whole number, come to
    `budget` at most.
    """

    path: PathBounds
    """Where it starts and how far it may go."""
    accepted: tuple[tuple[DomainPoint, ...], ...] | UnsetType = UNSET
    """Paths that are accepted; absent: all that the domain allows is accepted. Where it is there,
    the ground or somebody on it may forbid others."""


class ObjectDomain(Domain, frozen=True, kw_only=True):
    """An object of parameters."""

    params: Params
    """What its properties may be, by name."""


class TriedObjectDomain(ObjectDomain, frozen=True, kw_only=True):
    """An object of parameters that do not all fit one another.

    The documents describe it as an `ObjectDomain`: `accepted` is not among what they promise.
    """

    accepted: tuple[Struct, ...]
    """Objects that are accepted."""


class ListDomain(Domain, frozen=True, kw_only=True):
    """A list of exactly `length` values, each of one domain."""

    list_of: Domain
    """What each value may be."""
    length: int
    """How many values it has."""


class SomeOfDomain(Domain, frozen=True, kw_only=True):
    """A list of distinct members of these, in any order."""

    some_of: tuple[str | int, ...]
    """Values that the list may hold."""
    min: int
    """How many it holds at least."""
    max: int
    """How many it holds at most."""


DOMAINS: Final[tuple[type[Domain], ...]] = (
    OneOfDomain,
    CellsDomain,
    PricedCellsDomain,
    RangeDomain,
    DiscDomain,
    PathDomain,
    ObjectDomain,
    ListDomain,
    SomeOfDomain,
)
"""What a domain may be."""

VALUES: Final[tuple[type[DomainValue], ...]] = (DomainMember, DomainPoint, DomainTarget)
"""What a listed value may be that is an object."""


class LegalDecision(Struct, frozen=True, kw_only=True):
    """The question that an answer is for."""

    id: str
    """Id of the decision, for `decision_id` of the answer."""
    kind: str
    """What is asked for, such as `reaction`."""
    options: tuple[str, ...]
    """Kinds of answers it offers."""
    default: str
    """The option that stands if nobody answers."""
    context: Struct | UnsetType = UNSET
    """What it is about."""


class LegalNode(Struct, frozen=True, kw_only=True):
    """A type of action that may be taken now, its parameters, and one example."""

    type: str
    """`type` of the action."""
    params: Params
    """What its parameters may be, by name; whose action it is (`combatant`, `unit`, `side`) is
    given."""
    example: Action
    """One complete action of this type that is allowed now."""
    decision: LegalDecision | UnsetType = UNSET
    """The question that the answer is for."""


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


def node(params: Params, example: Action, decision: LegalDecision | UnsetType = UNSET) -> LegalNode:
    """A node: the type of the example, its parameters, and the example itself."""
    kind = str(example.__struct_config__.tag)
    return LegalNode(type=kind, params=params, example=example, decision=decision)


def answers(
    choices: Iterable[ListedValue],
    example: Answer,
    decision: Decision,
    context: Struct | UnsetType,
) -> LegalNode:
    """The node of the answers to a question: its choices by type, and what it is about."""
    question = LegalDecision(
        id=decision.id,
        kind=decision.kind,
        options=decision.options,
        default=decision.default,
        context=context,
    )
    choice = object_of({"type": one_of(choices)})
    return node({"decision_id": one_of([decision.id]), "choice": choice}, example, question)


def one_of(values: Iterable[ListedValue], *, optional: bool = False) -> OneOfDomain:
    """One of these."""
    return OneOfDomain(one_of=tuple(values), optional=optional or UNSET)


def one_of_points(
    spots: Iterable[Cell],
    unit: str,
    *,
    optional: bool = False,
    beyond_ft: int | UnsetType = UNSET,
) -> OneOfDomain:
    """One of these points or cells, in this unit."""
    return OneOfDomain(
        one_of=points(spots), unit=unit, beyond_ft=beyond_ft, optional=optional or UNSET
    )


def points(spots: Iterable[Cell]) -> tuple[DomainPoint, ...]:
    """Points or cells as domains list them."""
    return tuple([DomainPoint(x, y) for x, y in spots])


def int_range(
    least: int, most: int, *, optional: bool = False, unit: str | UnsetType = UNSET
) -> RangeDomain:
    """A whole number between these, both included; of `unit`, where it is a length."""
    bounds = RangeBounds(min=least, max=most, unit=unit)
    return RangeDomain(int_range=bounds, optional=optional or UNSET)


def object_of(params: Params, *, optional: bool = False) -> ObjectDomain:
    """An object of these parameters."""
    return ObjectDomain(params=params, optional=optional or UNSET)


def list_of(domain: Domain, length: int) -> ListDomain:
    """A list of exactly `length` values, each of this domain."""
    return ListDomain(list_of=domain, length=length)


def some_of(values: Iterable[str | int], least: int, most: int) -> SomeOfDomain:
    """A list of distinct values of these, from `least` to `most` of them."""
    return SomeOfDomain(some_of=tuple(values), min=least, max=most)


def with_params(value: str, params: Params) -> str | DomainMember:
    """A member that brings parameters; alone if it brings none."""
    return DomainMember(value=value, params=params) if params else value


def is_allowed(require: Callable[[], object]) -> bool:
    """Whether a check refuses nothing."""
    try:
        require()
    except Refused:
        return False
    return True
