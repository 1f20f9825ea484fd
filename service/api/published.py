"""What the service tells everyone of itself: rulesets, limits, readiness, keys; wire types."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.api.limits import ApiLimits
from service.api.openapi.schemas import tags_of
from service.encounters.loading import Rulesets
from service.engine.catalogue import Message, Rule, Term
from service.engine.ruleset import Ruleset
from service.engine.state import RuleState


class RulesetSummary(Struct, frozen=True, kw_only=True):
    """A ruleset and its versions, the newest last."""

    slug: str
    versions: tuple[str, ...]


class RulesetList(Struct, frozen=True, kw_only=True):
    """All rulesets, and what a client may send at most."""

    rulesets: tuple[RulesetSummary, ...]
    limits: ApiLimits


class RulesetDetail(Struct, frozen=True, kw_only=True):
    """A ruleset at its newest version.

    `options` are the table's choices with their defaults; their bounds stand in the schema.
    """

    slug: str
    version: str
    versions: tuple[str, ...]
    options: dict[str, object]
    actions: tuple[str, ...]
    effects: tuple[str, ...]
    rules: tuple[Rule, ...]
    terms: tuple[Term, ...]
    messages: tuple[Message, ...]


class Liveness(Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: Literal["live"] = "live"


class ReadinessAnswer(Struct, frozen=True, kw_only=True):
    """The service can do its work.

    `can_mutate_log` among the warnings: the service's role could rewrite the log, so that only
    the triggers protect it. `revision` is the database's; it may be newer than `build`, the number
    of the newest one that this process knows, as long as it serves builds of that age.
    """

    status: Literal["ready"] = "ready"
    revision: str
    build: int
    database_version: int
    warnings: tuple[str, ...] = ()


class PublishedKey(Struct, frozen=True, kw_only=True):
    """An Ed25519 public key as in RFC 8037; `retired_at` is present once it signs no more."""

    kid: str
    x: str
    created_at: str
    kty: Literal["OKP"] = "OKP"
    crv: Literal["Ed25519"] = "Ed25519"
    use: Literal["sig"] = "sig"
    retired_at: str | UnsetType = UNSET


class KeySet(Struct, frozen=True, kw_only=True):
    """Every key that ever signed a receipt."""

    keys: tuple[PublishedKey, ...]


def summary_of(slug: str, rulesets: Rulesets) -> RulesetSummary:
    """One line of the list."""
    return RulesetSummary(slug=slug, versions=_versions(slug, rulesets))


def detail_of(ruleset: Ruleset[RuleState], rulesets: Rulesets) -> RulesetDetail:
    """Everything a ruleset says of itself in words."""
    return RulesetDetail(
        slug=ruleset.slug,
        version=ruleset.version,
        versions=_versions(ruleset.slug, rulesets),
        options=_default_options(ruleset),
        actions=tags_of(ruleset.action),
        effects=tags_of(_effect_of(ruleset)),
        rules=ruleset.catalogue.rules,
        terms=ruleset.catalogue.terms,
        messages=ruleset.catalogue.messages,
    )


def _versions(slug: str, rulesets: Rulesets) -> tuple[str, ...]:
    return tuple(version for known, version in rulesets if known == slug)


def _default_options(ruleset: Ruleset[RuleState]) -> dict[str, object]:
    kind: type[Struct] = get_type_hints(ruleset.state)["options"]
    told: Mapping[str, object] = msgspec.to_builtins(kind())
    return dict(told)


def _effect_of(ruleset: Ruleset[RuleState]) -> Any:
    """The union of a ruleset's effects: what its events hold a tuple of."""
    return get_args(get_type_hints(ruleset.event)["effects"])[0]
