"""Maps that no battle has yet."""

from typing import Final

from litestar import Response

from service.api.call import JSON, WRITING, Call, CallAnswer
from service.api.endpoints.examples import CHECK_MAP_EXAMPLES
from service.api.map_answer import map_answer
from service.api.request import Ask, principal_of, route, services_behind, tree_of
from service.api.response import encoded, language_asked
from service.encounters.creation import check_map as checked_map

CHECK_MAP: Final = Call(
    id="check_map",
    method="POST",
    path="/v1/maps",
    tag="rulesets",
    summary="What is wrong with a map, and how a creation would take it",
    says=(
        "Reads a map by a rulebook and keeps nothing. A creation is refused with the first problem;"
        " here are up to 100, with row and column from 0 and line and column from 1. Where a"
        " rulebook prints battles as text, a whole print is taken as well, and answered with the"
        " map that it stands for. Counts as a preview."
    ),
    body="CheckMapRequest",
    examples=CHECK_MAP_EXAMPLES,
    answers=(
        CallAnswer(
            status=200,
            says="What was found.",
            content={JSON: "MapAnswer"},
            headers=("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
        ),
    ),
    problems=WRITING,
)


@route(CHECK_MAP)
async def check_map(request: Ask) -> Response[bytes]:
    """What was found on looking at a map."""
    services = services_behind(request)
    allowance = services.previews.take(principal_of(request).account)
    tree = await tree_of(request)
    reads = services.encounters.reads
    checked = checked_map(tree, reads.rulesets, reads.held())
    answer = map_answer(checked, language_asked(request.scope), services.phrasebook)
    return encoded(answer, extra=allowance.headers())
