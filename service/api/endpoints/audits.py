"""Proof: the audit of an encounter, and the bundle to audit it offline."""

from collections.abc import Sequence
from typing import Final, get_args
from uuid import UUID

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream
from litestar.types import ASGIApp

from service.api.call import (
    ENCOUNTER_PATH,
    EVENT_STREAM,
    JSON,
    NDJSON,
    READING,
    Call,
    CallAnswer,
    Example,
)
from service.api.headers import headers_of
from service.api.query_parameters import Text
from service.api.request import (
    Ask,
    encounter_id,
    media_type_asked,
    principal_of,
    query_of,
    route,
    services_behind,
    tree_of,
)
from service.api.response import PRIVATE, language_asked, plain
from service.api.streaming.attended import attended, left
from service.api.streaming.audit_failures import audit_failure
from service.api.streaming.audit_stream import AuditStream
from service.encounters.requests import convert
from service.encounters.responses import Receipt
from service.engine.vocabulary.client_ids import ID_FORM
from service.errors import JobFailed, JobTimedOut, NotAcceptable
from service.replay.audit.audit_records import BundleAuditOrder, Inclusion
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
    says=(
        "A long log, or one of many combatants, is judged in a process of its own, which takes"
        " `audit_seconds` at most. A caller has one audit at a time, a tenant eight, and ends it by"
        " leaving."
    ),
    answers=(CallAnswer(status=200, says="A verdict per event.", content={JSON: "AuditReport"}),),
    problems=(*READING, 422),
)


@route(AUDIT_ENCOUNTER)
async def audit_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Every event decided again."""
    return await _audited(request, encounter_id(encounter))


async def _audited(
    request: Ask, encounter: UUID, receipts: Sequence[Receipt] = ()
) -> Response[bytes]:
    """The report, as long as the client waits for it. Raises TooMany."""
    services, who = services_behind(request), principal_of(request)
    with_luck = query_of(request).text_or_none(INCLUDE) is not None
    with services.audits.place(who), services.concurrency.aside():
        audit = services.stored_audits.report(who, encounter, receipts, with_luck=with_luck)
        try:
            report = await attended(audit, left(request.receive))
        except (JobFailed, JobTimedOut) as error:
            raise audit_failure(error, services.limits) from None
    # Nobody reads the answer to a client that has left.
    return plain(report or b"", JSON)


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
    problems=(*READING, 408, 413, 415, 422),
)


@route(AUDIT_WITH_RECEIPTS)
async def audit_with_receipts(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The same, with what the caller kept."""
    kept = convert(await tree_of(request), AuditRequest)
    return await _audited(request, encounter_id(encounter), kept.receipts)


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


_INCLUSIONS: Final[tuple[Inclusion, ...]] = get_args(Inclusion)
_LUCK: Final = "luck"
_INCLUSION: Final = f"({'|'.join((*_INCLUSIONS, _LUCK))})"

TOLD_OF_EACH: Final = Text(
    name="include",
    says=(
        "Tell of each event `verdict`, and `state`, `table`, `scene` behind it, `narration`, the"
        " event in sentences, or `explanation`, its rolls with modifiers and dice: that needs"
        " a form with records, `application/x-ndjson` if `Accept` names none. `luck`: in the report"
        " also how rolls came out against the odds of previews. Several with commas between."
    ),
    pattern=f"{_INCLUSION}(,{_INCLUSION}){{0,{len(_INCLUSIONS)}}}",
    form=", ".join((*_INCLUSIONS, _LUCK)),
)
VIEWPOINT: Final = Text(
    name="viewpoint",
    says=(
        "Whose view that is: `gm`, `everyone` for what an observer sees, or a side;"
        " several with commas between. Without it the bundle's own viewer. A bundle of the game"
        " master allows all of them, another one those whose parts it holds."
    ),
    pattern=f"{ID_FORM}(,{ID_FORM}){{0,9}}",
    form="gm, everyone or a side",
)
KEYS: Final = Text(
    name="keys",
    says=(
        "`own`: trust the keys that this service publishes. Without it the signer is unknown,"
        " whoever signed: a bundle is judged by nothing but what it contains."
    ),
    pattern="own",
    form="own",
)

AUDIT_BUNDLE: Final = Call(
    id="audit_bundle",
    method="POST",
    path="/v1/audits",
    tag="proof",
    summary="Audit a bundle that is sent",
    says=(
        "The body is a bundle as `export_bundle` gives it, of this service or of another one, of at"
        " most `audit_bytes`. It is judged by nothing but what it contains, in a process that knows"
        " neither a seed nor a log of this service; nothing of it is stored or logged. A caller has"
        " one audit at a time, of `audit_seconds` at most, and ends it by leaving. By `Accept` the"
        " answer is the report alone, or records as the audit goes on: `progress`, with `include`"
        " an `event` for each event, and at the end `report` or `problem`; as lines, or as"
        " server-sent events of these names."
    ),
    query=(TOLD_OF_EACH, VIEWPOINT, KEYS),
    body="Bundle",
    body_type=NDJSON,
    answers=(
        CallAnswer(
            status=200,
            says="The report, or records with the report at their end.",
            content={JSON: "AuditReport", NDJSON: "AuditRecord", EVENT_STREAM: "Text"},
        ),
    ),
    problems=(400, 401, 403, 406, 408, 413, 415, 422, 429, 503),
)


@route(AUDIT_BUNDLE)
async def audit_bundle(request: Ask) -> ASGIApp:
    """The audit of a bundle, as it comes."""
    services, headers = services_behind(request), headers_of(request.scope)
    headers.require_length(services.limits.audit_bytes)
    headers.require_type(NDJSON)
    query = query_of(request)
    asked = (query.text_or_none(TOLD_OF_EACH) or "").split(",")
    include = tuple(each for each in _INCLUSIONS if each in asked)
    viewpoints = query.text_or_none(VIEWPOINT)
    keys = await services.public_keys() if query.text_or_none(KEYS) else ()
    order = BundleAuditOrder(
        include=include,
        viewpoints=() if viewpoints is None else tuple(dict.fromkeys(viewpoints.split(","))),
        keys={key.kid: key.public.hex() for key in keys},
        language=language_asked(request.scope),
        luck=_LUCK in asked,
    )
    media_type = _form_of(media_type_asked(request), headers.value("accept"), include)
    return AuditStream(services, principal_of(request), order, media_type)


def _form_of(media_type: str, accept: str | None, include: tuple[Inclusion, ...]) -> str:
    """The form of the answer: records where something is shown of events. Raises NotAcceptable."""
    if not include or media_type != JSON:
        return media_type
    if accept not in {None, "*/*"}:
        raise NotAcceptable(allowed=[NDJSON, EVENT_STREAM])
    return NDJSON
