"""What the service shows everyone of itself: rulesets, limits, readiness, keys; wire types."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.api.limits.published_limits import ApiLimits
from service.encounters.held_back import HeldBack, default_version
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.vocabulary.catalogue import Message, Rule, Term


class RulesetSummary(Struct, frozen=True, kw_only=True):
    """A ruleset and its versions, the newest last."""

    slug: str
    """The name that requests give as `ruleset`."""
    versions: tuple[str, ...]
    """All versions that encounters may have, in the order of their release, the newest last."""
    default: str | UnsetType = UNSET
    """The version of new encounters that name none: the newest, or that before it while an upgrade
    of the service is unfinished; absent where new encounters have to name one."""


class RulesetList(Struct, frozen=True, kw_only=True):
    """All rulesets, and what a client may send at most."""

    rulesets: tuple[RulesetSummary, ...]
    """Every ruleset that this service plays."""
    limits: ApiLimits
    """What a client may send or ask for at most."""


class RulesetDetail(Struct, frozen=True, kw_only=True):
    """A ruleset at a version: the one asked for, or that of new encounters.

    `options` are the table's choices with their defaults; their bounds stand in the schema.
    """

    slug: str
    """The name that requests give as `ruleset`."""
    version: str
    """The version described here."""
    versions: tuple[str, ...]
    """All versions that encounters may have, in the order of their release, the newest last."""
    default: str | UnsetType = UNSET
    """The version of new encounters that name none: the newest, or that before it while an upgrade
    of the service is unfinished; absent where new encounters have to name one."""
    options: dict[str, object]
    """The table's choices, each with its default."""
    actions: tuple[str, ...]
    """`type` of every action that this ruleset takes."""
    effects: tuple[str, ...]
    """`type` of every effect that its events may hold."""
    rules: tuple[Rule, ...]
    """The rules by id, in English and Russian, as refusals and breakdowns name them."""
    terms: tuple[Term, ...]
    """Words of fields, values and notes, in English and Russian, for display."""
    messages: tuple[Message, ...]
    """The sentences of refusals that are this ruleset's own, by code, in English and Russian."""


class Liveness(Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: Literal["live"] = "live"
    """Always `live`: the process answers, whatever the state of the database."""


class ReadinessAnswer(Struct, frozen=True, kw_only=True):
    """The service can do its work.

    `can_mutate_log` among the warnings: the service's role could rewrite the log, so that only
    the triggers protect it. `revision` is the database's; it may be newer than `build`, the number
    of the newest one that this process knows, as long as it serves builds of that age.
    """

    status: Literal["ready"] = "ready"
    """Always `ready`; a service that is not answers 503 with a problem."""
    revision: str
    """Number of the newest migration that the database has."""
    build: int
    """Number of the newest migration that this process knows; `revision` may be ahead of it."""
    database_version: int
    """PostgreSQL's `server_version_num`, such as 150007 for 15.7."""
    warnings: tuple[str, ...] = ()
    """What an operator should look at; `can_mutate_log`: the service's database role could rewrite
    the log, only triggers protect it. `fed_by_subscription`: logical replication writes into the
    store, so a write of the service would fork a log."""


class PublishedKey(Struct, frozen=True, kw_only=True):
    """An Ed25519 public key as in RFC 8037; `retired_at` is present once it no longer signs."""

    kid: str
    """The id that receipts name: the first 16 hex digits of the public key's SHA-256."""
    x: str
    """The public key, 32 bytes in base64url without padding."""
    created_at: str
    """When the key was made (RFC 3339, UTC)."""
    kty: Literal["OKP"] = "OKP"
    """Key type of RFC 8037: octet key pair."""
    crv: Literal["Ed25519"] = "Ed25519"
    """The curve, which is also the signature scheme."""
    use: Literal["sig"] = "sig"
    """The key signs, and does nothing else."""
    retired_at: str | UnsetType = UNSET
    """Since when it no longer signs (RFC 3339, UTC); absent while it does."""


class KeySet(Struct, frozen=True, kw_only=True):
    """Every key that ever signed a receipt."""

    keys: tuple[PublishedKey, ...]
    """Every key that ever signed a receipt, retired ones included, the oldest first."""


def summary_of(slug: str, rulesets: Rulesets, held: HeldBack) -> RulesetSummary:
    """One line of the list."""
    return RulesetSummary(
        slug=slug,
        versions=versions_of(slug, rulesets),
        default=default_version(slug, rulesets, held) or UNSET,
    )


def detail_of(ruleset: Ruleset[RuleState], rulesets: Rulesets, held: HeldBack) -> RulesetDetail:
    """Everything a ruleset says of itself in words."""
    return RulesetDetail(
        slug=ruleset.slug,
        version=ruleset.version,
        versions=versions_of(ruleset.slug, rulesets),
        default=default_version(ruleset.slug, rulesets, held) or UNSET,
        options=_default_options(ruleset),
        actions=_tags_of(ruleset.action),
        effects=_tags_of(_effect_of(ruleset)),
        rules=ruleset.catalogue.rules,
        terms=ruleset.catalogue.terms,
        messages=ruleset.catalogue.messages,
    )


def versions_of(slug: str, rulesets: Rulesets) -> tuple[str, ...]:
    """All versions of a ruleset, the newest last."""
    return tuple(version for listed, version in rulesets if listed == slug)


def _default_options(ruleset: Ruleset[RuleState]) -> dict[str, object]:
    kind: type[Struct] = get_type_hints(ruleset.state)["options"]
    defaults: Mapping[str, object] = msgspec.to_builtins(kind())
    return dict(defaults)


def _effect_of(ruleset: Ruleset[RuleState]) -> Any:
    """The union of a ruleset's effects: what its events hold a tuple of."""
    return get_args(get_type_hints(ruleset.event)["effects"])[0]


def _tags_of(union: Any) -> tuple[str, ...]:
    """The tags of a union of tagged Structs, in its order."""
    kinds: tuple[type[Struct], ...] = getattr(union, "__args__", (union,))
    return tuple(str(kind.__struct_config__.tag) for kind in kinds)
