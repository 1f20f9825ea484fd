"""What rulebooks there are, and what each says of itself."""

from litestar import Response
from litestar.params import FromPath

from service.api import calls
from service.api.discovery import RulesetList, detail_of, summary_of
from service.api.openapi.rulesets import ruleset_schemas
from service.api.request import Ask, services_behind
from service.api.response import PUBLIC, encoded
from service.api.routes.serving import serving
from service.engine.battle.state import RuleState
from service.engine.ruleset import Ruleset
from service.errors import NotFound


@serving(calls.LIST_RULESETS)
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


@serving(calls.READ_RULESET)
async def read_ruleset(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """One ruleset at its newest version."""
    rulesets = services_behind(request).encounters.reads.rulesets
    return encoded(detail_of(_newest(request, slug), rulesets), general=PUBLIC)


@serving(calls.READ_RULESET_SCHEMA)
async def read_ruleset_schema(request: Ask, slug: FromPath[str]) -> Response[bytes]:
    """JSON Schema of a ruleset's own types."""
    return encoded(ruleset_schemas(_newest(request, slug)), general=PUBLIC)


def _slugs(request: Ask) -> list[str]:
    return sorted({slug for slug, _ in services_behind(request).encounters.reads.rulesets})


def _newest(request: Ask, slug: str) -> Ruleset[RuleState]:
    """The newest version of a ruleset. Raises NotFound("unknown_ruleset")."""
    rulesets = services_behind(request).encounters.reads.rulesets
    versions = [ruleset for (known, _), ruleset in rulesets.items() if known == slug]
    if not versions:
        raise NotFound("unknown_ruleset", ruleset=slug[:60], allowed=_slugs(request))
    return versions[-1]
