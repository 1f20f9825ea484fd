"""Proof: the audit of an encounter, and the bundle to audit it offline."""

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from service.api import calls
from service.api.request import Ask, encounter_id, principal_of, services_behind, tree_of
from service.api.response import PRIVATE, encoded
from service.api.routes.serving import serving
from service.encounters.requests import convert
from service.replay.audit.audits import audit_stored
from service.replay.audit.receipt_check import AuditRequest
from service.replay.bundle.writer import bundle_stored


@serving(calls.AUDIT_ENCOUNTER)
async def audit_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """Every event decided again."""
    encounters = services_behind(request).encounters
    who, wanted = principal_of(request), encounter_id(encounter)
    return encoded(await audit_stored(encounters.reads, who, wanted))


@serving(calls.AUDIT_WITH_RECEIPTS)
async def audit_with_receipts(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The same, with what the caller kept."""
    encounters = services_behind(request).encounters
    who, wanted = principal_of(request), encounter_id(encounter)
    kept = convert(await tree_of(request), AuditRequest)
    return encoded(await audit_stored(encounters.reads, who, wanted, kept.receipts))


@serving(calls.EXPORT_BUNDLE)
async def export_bundle(request: Ask, encounter: FromPath[str]) -> Stream:
    """The bundle, line by line, as its lines are made."""
    encounters = services_behind(request).encounters
    who, wanted = principal_of(request), encounter_id(encounter)
    lines = await bundle_stored(encounters.reads, who, wanted)
    name = f"warlog-{wanted}.ndjson"
    return Stream(
        lines,
        media_type=calls.NDJSON,
        headers={**PRIVATE, "Content-Disposition": f'attachment; filename="{name}"'},
    )
