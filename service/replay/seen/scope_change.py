"""What a change of whom a viewer knows makes of a state that was folded from what he was told.

How this works. Somebody comes to light, or the viewer shares more secrets: whatever may have been
left out because of them may be told from then on, so it is unknown until it is stated anew
(`widened`). What the viewer may know no longer is let go of (`resealed`): it changes unseen.
"""

from typing import Any, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from service.engine.battle.open_decisions import DecisionGroup
from service.engine.battle.state import Combatant, RuleState
from service.engine.visibility.audience_plan import MENTIONS, FieldPlan, plan_of
from service.engine.visibility.scope import Scope, Viewer, side_of
from service.replay.seen.gaps import (
    NOBODY,
    UNKNOWN,
    UNSEEN,
    WITHHELD,
    Gap,
    blank,
    is_hole,
    kinds_in,
)
from service.replay.seen.seen_effects import may_be_hidden

S = TypeVar("S", bound=Struct)


def widened(value: S) -> S:
    """The same where anything that named somebody unseen may be told by now."""
    plan = plan_of(type(value))
    changed = {}
    for field in plan.fields:
        before = getattr(value, field.attribute)
        after = _widened(before, field, type(value))
        if after is not before:
            changed[field.attribute] = after
    return replace(value, **changed) if changed else value


def _widened(value: object, field: FieldPlan, holder: type[Struct]) -> Any:
    if value is UNSEEN:
        return UNKNOWN
    if isinstance(value, Combatant) and is_shade(value):
        return value
    if isinstance(value, Struct):
        return widened(value)
    if not isinstance(value, tuple):
        return value
    elements = tuple([_widened(each, field, holder) for each in value])
    if any(after is not before for after, before in zip(elements, value, strict=True)):
        value = elements
    if _is_apart(field, holder) or any(map(is_hole, value)):
        return value
    hole = _hole_in(field, holder)
    return value if hole is None else (*value, hole)


def _is_apart(field: FieldPlan, holder: type[Struct]) -> bool:
    """Whether it is said beside the state that this array may lack elements."""
    if issubclass(holder, RuleState):
        return field.attribute == "combatants"
    return issubclass(holder, DecisionGroup)


def _hole_in(field: FieldPlan, holder: type[Struct]) -> object | None:
    """What says that an array may lack elements, if any of its elements can be hidden."""
    if field.names in MENTIONS:
        return UNKNOWN
    hint = get_type_hints(holder, include_extras=True)[field.attribute]
    held = [kind for kind in kinds_in(hint) if issubclass(kind, Struct) and may_be_hidden(kind)]
    return blank(held[0], UNKNOWN) if held else None


def is_shade(combatant: Combatant) -> bool:
    """Whether this stands for combatants who are not known."""
    return combatant.side == NOBODY


def resealed(value: S, scope: Scope, viewer: Viewer, holder: str) -> S:
    """The same without what its marks keep from a viewer now."""
    plan = plan_of(type(value))
    side = side_of(value, plan, scope, holder)
    changed = {}
    for field in plan.fields:
        before = getattr(value, field.attribute)
        after = _resealed(before, field, scope, viewer, side)
        if after is not before:
            changed[field.attribute] = after
    return replace(value, **changed) if changed else value


def _resealed(value: Any, field: FieldPlan, scope: Scope, viewer: Viewer, side: str) -> Any:
    if field.is_text or field.mark == "gm" or isinstance(value, Gap):
        return value
    if not viewer.may_know(scope.declared(field.mark, side)):
        return WITHHELD
    if isinstance(value, Struct):
        return resealed(value, scope, viewer, side)
    if not isinstance(value, tuple):
        return value
    elements = tuple(
        resealed(each, scope, viewer, side) if isinstance(each, Struct) else each for each in value
    )
    is_same = all(after is before for after, before in zip(elements, value, strict=True))
    return value if is_same else elements


def let_go(combatant: Combatant) -> Combatant:
    """A combatant of whom the viewer knows no more than that there is one."""
    told: dict[str, Any] = dict.fromkeys(combatant.__struct_fields__, UNKNOWN)
    told |= {"id": combatant.id, "side": combatant.side, "hidden": True}
    return type(combatant)(**told)
