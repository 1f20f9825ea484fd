"""Components of a document: one for each distinct type, named after it.

How this works. Types come in groups: one for each version of a ruleset, and one for what belongs to
none. A type that is a ruleset's, or has something of a ruleset's in it at any depth, is that
ruleset's component and carries its name, with `V2` for its version 2 where that differs from the
version before; any other is once, however many rulesets use it. A type that is both taken and
shown has two components where the two differ, the second one ending in `Seen`.

An envelope is a type of the service whose content is a ruleset's: it has one component per ruleset
and, under its own name, their union, distinguished by the property that names the ruleset. What is
outside of all rulesets refers to the union.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import Struct

from service.api.openapi.field_texts import described
from service.api.openapi.schemas import (
    PREFIX,
    Direction,
    Schema,
    any_of,
    one_of,
    published,
    schemas_of,
    structs_in,
    told_of,
)

ComponentKind = type[Struct]
_AT: Final = "at:"
_RULES_ROOM: Final = "service.rulesets."
_SEEN: Final = "Seen"
ANY_VERSION: Final = "-any"
"""Behind the slug of a ruleset of which there are several versions: any of them."""


@dataclass(frozen=True, slots=True)
class ComponentKey:
    """What a component describes: a type or a named schema, taken or shown, of a ruleset or
    none.
    """

    kind: ComponentKind | str
    direction: Direction
    ruleset: str = ""

    @property
    def target(self) -> str:
        """What references to it hold until components have their names."""
        kind = self.kind
        name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__qualname__}"
        return f"{_AT}{self.direction}:{self.ruleset}:{name}"

    @property
    def reference(self) -> Schema:
        """A reference to it."""
        return {"$ref": self.target}


@dataclass(frozen=True, slots=True)
class Envelope:
    """A type with one component per ruleset, distinguished by the property `tag`."""

    kind: ComponentKind
    direction: Direction
    tag: str = "ruleset"

    @property
    def union(self) -> ComponentKey:
        """The union over all rulesets."""
        return ComponentKey(self.kind, self.direction)


@dataclass(frozen=True, slots=True)
class Group:
    """Types that belong together: those of one version of a ruleset, or of none.

    `edition` names the version (see `rulesets.edition_of`), `slug` the ruleset, empty for none.
    `unions` are types with names of their own, referred to wherever they stand; `plain` are schemas
    of no type. `fields` says what is in fields that a type itself keeps as plain JSON, and adds
    properties that stand next to its own. `own` are types of the service that are this ruleset's
    whatever they hold.
    """

    slug: str = ""
    edition: str = ""
    requests: tuple[Any, ...] = ()
    responses: tuple[Any, ...] = ()
    unions: Mapping[ComponentKey, Any] = field(default_factory=dict)
    plain: Mapping[ComponentKey, Schema] = field(default_factory=dict)
    fields: Mapping[ComponentKey, Mapping[str, Schema]] = field(default_factory=dict)
    own: frozenset[ComponentKind] = frozenset()

    def place(self, kind: ComponentKind | str, direction: Direction) -> ComponentKey:
        """Where something of this group is."""
        return ComponentKey(kind, direction, self.edition)


Drafts = dict[ComponentKey, Schema]


def assembled(
    groups: Sequence[Group],
    envelopes: Sequence[Envelope],
    name_of: Callable[[ComponentKey], str],
    at: str = PREFIX,
) -> dict[str, Schema]:
    """All components by name, in the order of their names.

    Raises ValueError if two that differ would have one name.
    """
    drafts: Drafts = {}
    for group in groups:
        for direction in ("taken", "told"):
            drafts |= _drafted(group, direction, envelopes)
    for envelope in envelopes:
        drafts |= _unions(envelope, groups)
    drafts = _needed(drafts, groups, [envelope.union for envelope in envelopes])
    drafts = _standing_once(drafts, {kind for group in groups for kind in group.own})
    for before, after in _successions(groups):
        drafts = _merged(drafts, before, after)
    drafts = _single_unions_resolved(drafts)
    names = _names(drafts, name_of, at)
    finished: dict[str, Schema] = {}
    for place, draft in drafts.items():
        schema = _rewritten(draft, lambda target: at + names[target])
        if finished.setdefault(names[place.target], schema) != schema:
            raise ValueError(f"two components would be {names[place.target]}")
    return dict(sorted(finished.items()))


def references_in(schema: object) -> Iterator[str]:
    """What a schema refers to, discriminators left out: they repeat it."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            elif key != "discriminator":
                yield from references_in(value)
    elif isinstance(schema, list | tuple):
        for each in schema:
            yield from references_in(each)


def reached(names: Sequence[str], components: Mapping[str, Schema]) -> dict[str, Schema]:
    """These components and all that they refer to, at any depth, in the order of their names."""
    names_reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in names_reached:
            names_reached.add(name)
            waiting += [target.removeprefix(PREFIX) for target in references_in(components[name])]
    return {name: components[name] for name in sorted(names_reached)}


def _drafted(group: Group, direction: Direction, envelopes: Sequence[Envelope]) -> Drafts:
    """The components of a group, references not yet named."""
    unions = {place: kind for place, kind in group.unions.items() if place.direction == direction}
    kinds = (*(group.requests if direction == "taken" else group.responses), *unions.values())
    schemas, named = schemas_of(kinds, _AT)
    structs = _by_name(kinds)
    outside = {
        envelope.kind
        for envelope in envelopes
        if envelope.direction == direction and not group.slug
    }
    places = {_AT + name: group.place(structs[name], direction) for name in named}

    def target(reference: str) -> str:
        return places[reference].target

    shown = {name: published(schema, direction, target) for name, schema in named.items()}
    roots = [published(schema, direction, target) for schema in schemas]
    named_unions = dict(zip(unions, roots[len(kinds) - len(unions) :], strict=True))
    drafts: Drafts = {}
    for name, schema in shown.items():
        place = places[_AT + name]
        if place.kind not in outside:
            schema = described(structs[name], schema)
            if direction == "told":
                schema = told_of(structs[name], schema)
            drafts[place] = _completed(schema, group.fields.get(place, {}), named_unions)
    whole = {place: schema for place, schema in group.plain.items() if place.direction == direction}
    return drafts | named_unions | whole


def _by_name(kinds: Sequence[Any]) -> dict[str, ComponentKind]:
    """Every Struct in these types, by its own name and by its name with that of its module."""
    structs = structs_in(kinds)
    short = {kind.__name__: kind for kind in structs}
    return short | {f"{kind.__module__}.{kind.__qualname__}": kind for kind in structs}


def _completed(
    schema: Schema, fields: Mapping[str, Schema], unions: Mapping[ComponentKey, Schema]
) -> Schema:
    """The schema of a type, with what its fields hold and references to named unions."""
    properties = {
        name: _with_unions(inner, unions) for name, inner in schema.get("properties", {}).items()
    }
    required = list(schema.get("required", ()))
    for name, filled in fields.items():
        if name not in properties:
            required.append(name)
        description = properties.get(name, {}).get("description")
        properties[name] = {**({"description": description} if description else {}), **filled}
    if "properties" in schema or properties:
        schema = {**schema, "properties": properties}
    return {**schema, **({"required": required} if required else {})}


def _with_unions(schema: Schema, unions: Mapping[ComponentKey, Schema]) -> Schema:
    """The schema, with a reference wherever a named union stands."""
    for place, union in unions.items():
        if {key: schema.get(key) for key in union} == union:
            rest = {key: value for key, value in schema.items() if key not in union}
            return {**rest, **place.reference}
    if "items" in schema:
        return {**schema, "items": _with_unions(schema["items"], unions)}
    return schema


def _unions(envelope: Envelope, groups: Sequence[Group]) -> Drafts:
    """The union of an envelope's components by its tag, the slug of a ruleset.

    Versions of one ruleset share the tag; the mapping leads to a union of their own, which nothing
    distinguishes.
    """
    versions: dict[str, list[Schema]] = {}
    for group in groups:
        if group.slug:
            one = group.place(envelope.kind, envelope.direction)
            versions.setdefault(group.slug, []).append(one.reference)
    drafts: Drafts = {}
    mapping: dict[str, Schema] = {}
    for slug, components in versions.items():
        mapping[slug] = components[0]
        if len(components) > 1:
            place = ComponentKey(envelope.kind, envelope.direction, slug + ANY_VERSION)
            drafts[place] = any_of(components)
            mapping[slug] = place.reference
    return {**drafts, envelope.union: one_of(envelope.tag, mapping)}


def _needed(drafts: Drafts, groups: Sequence[Group], unions: Sequence[ComponentKey]) -> Drafts:
    """What is named, and what that refers to: a field may hold another type than its own."""
    places = {place.target: place for place in drafts}
    waiting = [*unions] + [
        place
        for group in groups
        for place in (
            *group.unions,
            *group.plain,
            *(group.place(kind, "taken") for kind in group.requests),
            *(group.place(kind, "told") for kind in group.responses),
        )
    ]
    needed: set[ComponentKey] = set()
    while waiting:
        place = waiting.pop()
        if place in drafts and place not in needed:
            needed.add(place)
            waiting += [places[target] for target in references_in(drafts[place])]
    return {place: draft for place, draft in drafts.items() if place in needed}


def _standing_once(drafts: Drafts, kinds: Collection[ComponentKind]) -> Drafts:
    """What has nothing of a ruleset's in it, taken out of the rulesets; not so these types."""
    places = {place.target: place for place in drafts}
    own = {place for place in drafts if place.ruleset and _is_rulesets(place.kind, kinds)}
    grown = True
    while grown:
        more = {
            place
            for place, draft in drafts.items()
            if place.ruleset and place not in own
            if any(places[target] in own for target in references_in(draft))
        }
        own |= more
        grown = bool(more)
    shared = {
        place.target: ComponentKey(place.kind, place.direction).target
        for place in drafts
        if place not in own
    }
    return {
        place if place in own else ComponentKey(place.kind, place.direction): _rewritten(
            draft, lambda target: shared.get(target, target)
        )
        for place, draft in drafts.items()
    }


def _successions(groups: Sequence[Group]) -> list[tuple[list[str], str]]:
    """Each later version of a ruleset with those before it, the nearest first, by edition."""
    editions: dict[str, list[str]] = {}
    found: list[tuple[list[str], str]] = []
    for group in groups:
        earlier = editions.setdefault(group.slug, [])
        if earlier:
            found.append(([*reversed(earlier)], group.edition))
        earlier.append(group.edition)
    return found


def _merged(drafts: Drafts, before: Sequence[str], after: str) -> Drafts:
    """What is the same in a version and one before it, once and as the earlier version's.

    Two are the same if all that they refer to is: all are taken to be so until one differs.
    """
    places = {place.target: place for place in drafts if place.ruleset == after}
    earlier = {
        (_kind_name(place), place.direction): place
        for edition in reversed(before)
        for place in drafts
        if place.ruleset == edition
    }
    twins = {
        target: earlier[home]
        for target, place in places.items()
        if (home := (_kind_name(place), place.direction)) in earlier
    }

    def same(target: str) -> str:
        return twins[target].target if target in twins else target

    while differing := [
        target
        for target, twin in twins.items()
        if _rewritten(drafts[places[target]], same) != drafts[twin]
    ]:
        for target in differing:
            del twins[target]
    return {
        place: _rewritten(draft, same)
        for place, draft in drafts.items()
        if place.target not in twins
    }


def _single_unions_resolved(drafts: Drafts) -> Drafts:
    """No union names one component twice, and a union of versions that are one is that one."""
    drafts = {place: _distinct(draft) for place, draft in drafts.items()}
    only = {
        place.target: draft["$ref"]
        for place, draft in drafts.items()
        if place.ruleset.endswith(ANY_VERSION) and "$ref" in draft
    }
    return {
        place: _rewritten(draft, lambda target: only.get(target, target))
        for place, draft in drafts.items()
        if place.target not in only
    }


def _distinct(draft: Schema) -> Schema:
    """A schema whose alternatives are all different; the only one represents itself."""
    if "anyOf" not in draft:
        return draft
    alternatives: list[Schema] = []
    for each in draft["anyOf"]:
        if each not in alternatives:
            alternatives.append(each)
    rest = {key: value for key, value in draft.items() if key != "anyOf"}
    return {**rest, **any_of(alternatives)}


def _kind_name(place: ComponentKey) -> str:
    return place.kind if isinstance(place.kind, str) else place.kind.__name__


def _is_rulesets(kind: ComponentKind | str, kinds: Collection[ComponentKind]) -> bool:
    """Whether something is a ruleset's by itself."""
    return isinstance(kind, str) or kind in kinds or kind.__module__.startswith(_RULES_ROOM)


def _names(drafts: Drafts, name_of: Callable[[ComponentKey], str], at: str) -> dict[str, str]:
    """The name of every component: its own, and another if it is shown otherwise than taken."""
    names = {place.target: name_of(place) for place in drafts}
    responses = [place for place in drafts if place.direction == "told"]
    pairs = [(ComponentKey(each.kind, "taken", each.ruleset), each) for each in responses]
    pairs = [(taken, each) for taken, each in pairs if taken in drafts]
    while True:
        differing = [
            each
            for taken, each in pairs
            if names[taken.target] == names[each.target]
            and _rewritten(drafts[taken], lambda target: at + names[target])
            != _rewritten(drafts[each], lambda target: at + names[target])
        ]
        if not differing:
            return names
        for each in differing:
            names[each.target] += _SEEN


def _rewritten(schema: Any, rename: Callable[[str], str]) -> Any:
    """The same schema with other references."""
    if isinstance(schema, str):
        return rename(schema) if schema.startswith(_AT) else schema
    if isinstance(schema, Mapping):
        return {key: _rewritten(value, rename) for key, value in schema.items()}
    if isinstance(schema, list | tuple):
        return [_rewritten(each, rename) for each in schema]
    return schema
