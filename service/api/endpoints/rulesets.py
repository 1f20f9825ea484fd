"""What rulebooks there are, and what each says of itself."""

from typing import Final

from litestar import Response
from litestar.params import FromPath

from service.api.call import (
    JSON,
    Call,
    CallAnswer,
)
from service.api.discovery import RulesetList, detail_of, summary_of
from service.api.openapi.rulesets import ruleset_schemas
from service.api.request import Ask, route, services_behind
from service.api.response import PUBLIC, encoded
from service.engine.battle.state import RuleState
from service.engine.ruleset import Ruleset
from service.errors import NotFound

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
    listed = RulesetList(
        rulesets=tuple(
            summary_of(slug, services.encounters.reads.rulesets) for slug in _slugs(request)
        ),
        limits=services.limits,
    )
    return encoded(listed, general=PUBLIC)


READ_RULESET: Final = Call(
    id="read_ruleset",
    path="/v1/rulesets/{slug:str}",
    tag="rulesets",
    summary="A rulebook: options, limits, rules and terms in English and Russian",
    answers=(CallAnswer(status=200, says="The ruleset.", content={JSON: "RulesetDetail"}),),
    problems=(400, 404, 406, 503),
)


@route(READ_RULESET)
async def read_ruleset(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """One ruleset at its newest version."""
    rulesets = services_behind(request).encounters.reads.rulesets
    return encoded(detail_of(_newest(request, slug), rulesets), general=PUBLIC)


READ_RULESET_SCHEMA: Final = Call(
    id="read_ruleset_schema",
    path="/v1/rulesets/{slug:str}/schema",
    tag="rulesets",
    summary="JSON Schema of a rulebook's setup, actions, effects and state",
    answers=(CallAnswer(status=200, says="The schemas.", content={JSON: "RulesetSchemas"}),),
    problems=(400, 404, 406, 503),
)


@route(READ_RULESET_SCHEMA)
async def read_ruleset_schema(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """JSON Schema of a ruleset's own types."""
    return encoded(ruleset_schemas(_newest(request, slug)), general=PUBLIC)


def _slugs(request: Ask) -> list[str]:
    return sorted({slug for slug, _ in services_behind(request).encounters.reads.rulesets})


def _newest(request: Ask, slug: str) -> Ruleset[RuleState]:
    """The newest version of a ruleset. Raises NotFound("unknown_ruleset")."""
    rulesets = services_behind(request).encounters.reads.rulesets
    versions = [ruleset for (listed, _), ruleset in rulesets.items() if listed == slug]
    if not versions:
        raise NotFound("unknown_ruleset", ruleset=slug[:60], allowed=_slugs(request))
    return versions[-1]
