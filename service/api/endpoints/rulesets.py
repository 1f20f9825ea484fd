"""What rulebooks there are, and what each says of itself."""

from typing import Final

from litestar import Response
from litestar.params import FromPath

from service.api.call import (
    JSON,
    Call,
    CallAnswer,
)
from service.api.discovery import RulesetList, detail_of, summary_of, versions_of
from service.api.openapi.rulesets import ruleset_schemas
from service.api.query_parameters import Text
from service.api.request import Ask, query_of, route, services_behind
from service.api.response import PUBLIC, encoded
from service.encounters.held_back import default_version
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.errors import NotFound

VERSION: Final = Text(
    name="version",
    says="A version of the ruleset; that of new encounters if absent.",
    pattern="[A-Za-z0-9.-]{1,20}",
    form="[A-Za-z0-9.-]{1,20}",
)

LIST_RULESETS: Final = Call(
    id="list_rulesets",
    path="/v1/rulesets",
    tag="rulesets",
    summary="Which rulebooks there are, and the service's limits",
    answers=(CallAnswer(status=200, says="All rulesets.", content={JSON: "RulesetList"}),),
    problems=(400, 406, 503),
)


@route(LIST_RULESETS)
async def list_rulesets(request: Ask) -> Response[bytes]:
    """All rulesets, and the limits of the service."""
    services = services_behind(request)
    reads = services.encounters.reads
    held = reads.held()
    listed = RulesetList(
        rulesets=tuple(summary_of(slug, reads.rulesets, held) for slug in _slugs(request)),
        limits=services.limits,
    )
    return encoded(listed, general=PUBLIC)


READ_RULESET: Final = Call(
    id="read_ruleset",
    path="/v1/rulesets/{slug:str}",
    tag="rulesets",
    summary="A rulebook: options, limits, rules and terms in English and Russian",
    query=(VERSION,),
    answers=(CallAnswer(status=200, says="The ruleset.", content={JSON: "RulesetDetail"}),),
    problems=(400, 404, 406, 503),
)


@route(READ_RULESET)
async def read_ruleset(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """One ruleset at a version."""
    reads = services_behind(request).encounters.reads
    detail = detail_of(_asked(request, slug), reads.rulesets, reads.held())
    return encoded(detail, general=PUBLIC)


READ_RULESET_SCHEMA: Final = Call(
    id="read_ruleset_schema",
    path="/v1/rulesets/{slug:str}/schema",
    tag="rulesets",
    summary="JSON Schema of a rulebook's setup, actions, effects and state",
    query=(VERSION,),
    answers=(CallAnswer(status=200, says="The schemas.", content={JSON: "RulesetSchemas"}),),
    problems=(400, 404, 406, 503),
)


@route(READ_RULESET_SCHEMA)
async def read_ruleset_schema(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """JSON Schema of a ruleset's own types at a version."""
    return encoded(ruleset_schemas(_asked(request, slug)), general=PUBLIC)


def _slugs(request: Ask) -> list[str]:
    return sorted({slug for slug, _ in services_behind(request).encounters.reads.rulesets})


def _asked(request: Ask, slug: str) -> Ruleset[RuleState]:
    """A ruleset at the version asked for, or at that of new encounters, or its newest.

    Raises NotFound("unknown_ruleset") or ("unknown_version").
    """
    reads = services_behind(request).encounters.reads
    versions = versions_of(slug, reads.rulesets)
    if not versions:
        raise NotFound("unknown_ruleset", ruleset=slug[:60], allowed=_slugs(request))
    stated = query_of(request).text_or_none(VERSION)
    default = default_version(slug, reads.rulesets, reads.held())
    version = stated or default or versions[-1]
    if version not in versions:
        raise NotFound("unknown_version", version=version, allowed=list(versions))
    return reads.rulesets[slug, version]
