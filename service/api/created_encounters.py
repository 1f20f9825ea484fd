"""The answer to whoever has begun an encounter: its address and its status."""

from collections.abc import Mapping

from litestar import Response

from service.api.call import ENCOUNTER_PATH, JSON, AnswerLinks, CallAnswer
from service.api.response import REPLAYED, encoded
from service.encounters.clock_and_ids import etag
from service.encounters.forks.messages import ForkAnswer
from service.encounters.responses import CreatedAnswer


def created_with(says: str, body: str) -> CallAnswer:
    """How such an answer is declared; `body` names its schema."""
    return CallAnswer(
        status=201,
        says=says,
        content={JSON: body},
        headers=("Location", "ETag", "Idempotency-Replayed"),
        links=AnswerLinks(
            path=ENCOUNTER_PATH,
            parameters={
                "encounter": "$response.body#/encounter",
                "seq": "$response.body#/view/seq",
            },
        ),
    )


def created(
    answer: CreatedAnswer | ForkAnswer, headers: Mapping[str, str], *, replayed: bool
) -> Response[bytes]:
    """The answer itself; `headers` are further ones."""
    place = {
        "Location": f"/v1/encounters/{answer.encounter}",
        "ETag": f'"{etag(answer.view.seq, answer.view.hash)}"',
    }
    extra = {**headers, **(REPLAYED if replayed else {}), **place}
    return encoded(answer, status=201, extra=extra)
