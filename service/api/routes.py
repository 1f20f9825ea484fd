"""Every route of the service, in the order of the OpenAPI document.

A route is declared and answered in its module of `endpoints`; who may call it is in
`encounters.access`.
"""

from typing import Final

from service.api.call import Call
from service.api.endpoints import (
    actions,
    audits,
    encounters,
    events,
    forks,
    invitations,
    maps,
    operations,
    rulesets,
    seats,
    streams,
    timers,
)
from service.api.request import CALL_OPTION

ROUTES: Final = (
    rulesets.list_rulesets,
    rulesets.read_ruleset,
    rulesets.read_ruleset_schema,
    encounters.create_encounter,
    encounters.list_encounters,
    encounters.read_encounter,
    encounters.read_map,
    encounters.list_notes,
    encounters.read_scene,
    encounters.delete_encounter,
    forks.create_fork,
    forks.simulate,
    maps.check_map,
    actions.act,
    actions.preview,
    actions.inspect,
    actions.list_legal_actions,
    timers.list_timers,
    timers.change_timers,
    events.list_events,
    events.read_event,
    streams.stream,
    streams.socket,
    streams.stream_many,
    streams.create_ticket,
    seats.create_seat,
    seats.list_seats,
    seats.read_seat,
    seats.change_seat,
    seats.remove_seat,
    invitations.invite,
    invitations.revoke_token,
    invitations.join,
    invitations.add_device,
    seats.me,
    audits.audit_encounter,
    audits.audit_with_receipts,
    audits.export_bundle,
    audits.audit_bundle,
    operations.live,
    operations.ready,
    operations.metrics,
    operations.signing_keys,
    operations.openapi,
    operations.asyncapi,
    operations.docs,
    operations.docs_asset,
    operations.docs_guide,
    operations.docs_guides,
    operations.root,
    operations.version_root,
)

CALLS: Final[tuple[Call, ...]] = tuple(handler.opt[CALL_OPTION] for handler in ROUTES)
"""What the routes declare."""
