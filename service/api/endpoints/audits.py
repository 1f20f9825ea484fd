"""Proof: the audit of an encounter, and the bundle to audit it offline."""

from typing import Final

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from service.api.call import (
    ENCOUNTER_PATH,
    JSON,
    NDJSON,
    READING,
    Call,
    CallAnswer,
    Example,
)
from service.api.query_parameters import Text
from service.api.request import (
    Ask,
    encounter_id,
    principal_of,
    query_of,
    route,
    services_behind,
    tree_of,
)
from service.api.response import PRIVATE, encoded
from service.encounters.requests import convert
from service.replay.audit.audits import audit_stored
from service.replay.audit.receipt_check import AuditRequest
from service.replay.bundle.writer import bundle_stored

INCLUDE: Final = Text(
    name="include",
    says="`luck`: also how rolls came out against the odds that the caller's previews would have"
    " shown just before; it takes longer, so it is told only on request.",
    pattern="luck",
    form="luck",
)

AUDIT_ENCOUNTER: Final = Call(
    id="audit_encounter",
    path=f"{ENCOUNTER_PATH}/audit",
    tag="proof",
    summary="Decide every event again and compare",
    query=(INCLUDE,),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="A verdict per event.", content={JSON: "AuditReport"}),),
    problems=READING,
)


@route(AUDIT_ENCOUNTER)
async def audit_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Every event decided again."""
    encounters = services_behind(request).encounters
    who, number = principal_of(request), encounter_id(encounter)
    with_luck = query_of(request).text_or_none(INCLUDE) is not None
    return encoded(await audit_stored(encounters.reads, who, number, with_luck=with_luck))


AUDIT_WITH_RECEIPTS: Final = Call(
    id="audit_with_receipts",
    method="POST",
    path=f"{ENCOUNTER_PATH}/audit",
    tag="proof",
    summary="The same, and hold receipts that a client kept against the log",
    says=(
        "Every answer to an action, every `hello` and every heartbeat of a stream brings a receipt:"
        " the service's signature over the head of the log at that moment. A log that was rewritten"
        " as a whole, or cut off at its end, is found by nothing else (`/docs/audits`). What is"
        " wrong with one is among the `problems` of the report; `receipts` has a verdict for each."
        " Writes nothing."
    ),
    query=(INCLUDE,),
    headers=("seat",),
    body="AuditRequest",
    examples=(
        Example(
            name="one",
            says="What the answer to an action brought, some time ago",
            value={
                "receipts": [
                    {
                        "kid": "5c1f0a6f0b7e3d42",
                        "encounter": "01966b6a-9c5e-7d7c-8f0a-3b1d2e4f5a6b",
                        "seq": 12,
                        "hash": "9f" * 32,
                        "sig": "3c" * 64,
                    }
                ]
            },
        ),
    ),
    answers=(
        CallAnswer(
            status=200,
            says="A verdict per event, and one per receipt.",
            content={JSON: "AuditReport"},
        ),
    ),
    problems=(*READING, 408, 413, 415),
)


@route(AUDIT_WITH_RECEIPTS)
async def audit_with_receipts(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The same, with what the caller kept."""
    encounters = services_behind(request).encounters
    who, number = principal_of(request), encounter_id(encounter)
    with_luck = query_of(request).text_or_none(INCLUDE) is not None
    kept = convert(await tree_of(request), AuditRequest)
    report = await audit_stored(encounters.reads, who, number, kept.receipts, with_luck=with_luck)
    return encoded(report)


EXPORT_BUNDLE: Final = Call(
    id="export_bundle",
    path=f"{ENCOUNTER_PATH}/bundle",
    tag="proof",
    summary="One file with everything needed to audit the encounter offline",
    says="What is in it, byte by byte, is told at `/docs/specification`.",
    headers=("seat",),
    answers=(
        CallAnswer(status=200, says="The bundle, line by line.", content={NDJSON: "BundleLine"}),
    ),
    problems=READING,
)


@route(EXPORT_BUNDLE)
async def export_bundle(request: Ask, encounter: FromPath[str]) -> Stream:
    """The bundle, line by line, as its lines are made."""
    encounters = services_behind(request).encounters
    who, number = principal_of(request), encounter_id(encounter)
    lines = await bundle_stored(encounters.reads, who, number)
    name = f"warlog-{number}.ndjson"
    return Stream(
        lines,
        media_type=NDJSON,
        headers={**PRIVATE, "Content-Disposition": f'attachment; filename="{name}"'},
    )
