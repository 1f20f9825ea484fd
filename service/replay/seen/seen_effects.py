"""Effects read as somebody was told them: what was not told is a gap.

How this works. A type is read by the same plan by which it was redacted. A field that is absent was
withheld if its mark keeps it from the viewer; it may have named somebody unseen if it can name
anybody; else it was not there.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Raw, Struct
from msgspec.structs import FieldInfo, fields

from service.engine.log import canonical
from service.engine.ruleset.definition import Ruleset
from service.engine.ruleset.shown_sheets import Tree
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.audience_plan import AudiencePlan, FieldPlan, is_array, plan_of
from service.engine.visibility.scope import Scope, Viewer, narrow
from service.engine.vocabulary import effects as fx
from service.replay.seen.gaps import UNSEEN, WITHHELD, Unfollowable, blank, kinds_in
from service.replay.seen.joint_event import Told


class EffectReader:
    """Reads what a viewer was told under a scope.

    Of an object that only one side was told of, what is another side's is the game master's: there
    the tree has its audiences (`Told`), where a viewer shares the secrets of several sides.
    """

    def __init__(self, scope: Scope, viewer: Viewer) -> None:
        self._scope = scope
        self._viewer = viewer

    def read(self, kind: type[Struct], tree: Tree, holder: str = GM_WORD) -> Any:
        """An object of this type. Raises Unfollowable where it cannot be one."""
        plan = plan_of(kind)
        side = self._side_of(plan, tree, holder)
        values = {
            field.attribute: self._value(field, info, hint, tree, side)
            for field, info, hint in _fields(kind)
        }
        return kind(**values)

    def _side_of(self, plan: AudiencePlan, tree: Tree, holder: str) -> str:
        """Whose secrets the object holds: as `scope.side_of`, of what was told."""
        if plan.own:
            return str(tree.get("side", GM_WORD))
        for attribute in plan.subjects:
            if isinstance(tree.get(attribute), str):
                return self._scope.side_of(str(tree[attribute]))
        return holder

    def _value(
        self, field: FieldPlan, info: FieldInfo, hint: object, tree: Tree, side: str
    ) -> object:
        if field.name in tree:
            return self._converted(hint, tree[field.name], side)
        audience = tree.audience if isinstance(tree, Told) else EVERYONE_WORD
        audience = narrow(audience, self._scope.declared(field.mark, side))
        if field.is_text or not self._viewer.may_know(audience):
            return _unread(field, info, hint)
        default = info.default
        if default is not UNSET and default is not NODEFAULT and not _may_be_narrowed(field, hint):
            raise Unfollowable
        if not _may_be_narrowed(field, hint):
            return UNSET
        held = _structs_in(hint)
        return blank(held[0], UNSEEN) if default is NODEFAULT and held else UNSEEN

    def _converted(self, hint: object, value: object, side: str) -> object:
        if isinstance(value, list) and is_array(hint):
            inner = _element_of(hint)
            if inner is None:
                return _checked(hint, value)
            return tuple([self._converted(inner, each, side) for each in value])
        held = _structs_in(hint)
        if isinstance(value, dict) and held:
            return self.read(_kind_of(held, value), value, side)
        if Raw in kinds_in(hint):
            return Raw(canonical.encode(value))
        return _checked(hint, value)


def _unread(field: FieldPlan, info: FieldInfo, hint: object) -> object:
    """What stands for a field that its mark kept from the viewer."""
    if field.mark != GM_WORD and not field.is_text:
        return WITHHELD
    if info.default is not NODEFAULT:
        return info.default
    return () if is_array(hint) else WITHHELD


def _checked(hint: object, value: object) -> object:
    try:
        return msgspec.convert(value, hint)
    except (msgspec.ValidationError, TypeError) as error:
        raise Unfollowable from error


def _kind_of(held: tuple[type[Struct], ...], value: Tree) -> type[Struct]:
    if len(held) == 1:
        return held[0]
    for kind in held:
        config = kind.__struct_config__
        if config.tag_field and value.get(config.tag_field) == config.tag:
            return kind
    raise Unfollowable


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[FieldPlan, FieldInfo, object], ...]:
    hints = get_type_hints(kind, include_extras=True)
    infos = {info.name: info for info in fields(kind)}
    return tuple(
        (field, infos[field.attribute], hints[field.attribute]) for field in plan_of(kind).fields
    )


def _structs_in(hint: object) -> tuple[type[Struct], ...]:
    return tuple(kind for kind in kinds_in(hint) if issubclass(kind, Struct))


def _element_of(hint: object) -> object | None:
    """The type of the elements of an array of any length; None for another one."""
    if get_origin(hint) is tuple:
        args = get_args(hint)
        return args[0] if len(args) == 2 and args[1] is Ellipsis else None
    inner = [each for each in get_args(hint) if is_array(each)]
    return _element_of(inner[0]) if inner else None


def _may_be_narrowed(field: FieldPlan, hint: object) -> bool:
    """Whether a field may be absent because of whom its value names."""
    if field.is_simple:
        return False
    if field.names in ("mention", "unit_mention", "actors"):
        return True
    return any(may_be_hidden(kind) for kind in _structs_in(hint))


@cache
def may_be_hidden(kind: type[Struct]) -> bool:
    """Whether objects of a type are unseen together with somebody whom they name."""
    plan = plan_of(kind)
    return bool(plan.own or plan.named or plan.is_narrowed or plan.base != EVERYONE_WORD)


@cache
def effect_kinds(ruleset: Ruleset[Any]) -> Mapping[str, type[fx.Effect]]:
    """The effects of a ruleset by their tags."""
    held: tuple[Any, ...] = _structs_in(get_type_hints(ruleset.event)["effects"])
    return {str(kind.__struct_config__.tag): kind for kind in held}


_SEALED: Final = fx.Sealed(how=WITHHELD, choice=WITHHELD)  # type: ignore[arg-type]


def read_effect(
    kind: type[fx.Effect], tree: Tree, reader: EffectReader, *, joins: bool
) -> fx.Effect:
    """An effect as it was told; `joins`: a question that follows another one of its event.

    What the game master's parts would say of questions follows from what everyone is told: a
    closed one that does not say how is sealed. Raises Unfollowable.
    """
    effect: fx.Effect = reader.read(kind, tree)
    if isinstance(effect, fx.DecisionClosed) and effect.how is UNSET:
        return msgspec.structs.replace(effect, sealed=_SEALED)
    if isinstance(effect, fx.DecisionOpened) and joins:
        return msgspec.structs.replace(effect, joins=True)
    return effect
