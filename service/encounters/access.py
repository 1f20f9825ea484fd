"""Who may do what: the one authority over routes; actions are judged in `engine.permission`.

A route without a row, or an action type without a role, fails the tests. Nothing here tells a
stranger whether an encounter exists: another tenant's is not found.
"""

from collections.abc import Mapping
from typing import Final

from service.encounters.principal import Principal
from service.errors import Forbidden, NotFound

ROUTES: Final[Mapping[str, str]] = {
    "list_rulesets": "open",
    "read_ruleset": "open",
    "read_ruleset_schema": "open",
    "create_encounter": "play",
    "list_encounters": "read",
    "read_encounter": "read",
    "read_map": "read",
    "delete_encounter": "play",
    "act": "play",
    "preview": "read",
    "list_legal_actions": "read",
    "list_events": "read",
    "read_event": "read",
    "audit_encounter": "read",
    "export_bundle": "read",
    "live": "open",
    "ready": "open",
    "metrics": "open",
    "docs": "open",
    "docs_asset": "open",
    "openapi": "open",
    "signing_keys": "open",
}
"""Operation id -> the scope a key needs; `open` needs no key."""


def require_scope(who: Principal, operation: str) -> None:
    """The key has the scope of this operation, and `act_as` where it names a seat.

    Raises Forbidden("scope_missing").
    """
    needed = ROUTES[operation]
    if needed != "open" and needed not in who.scopes:
        raise Forbidden("scope_missing", scope=needed)
    if who.acting_for is not None and "act_as" not in who.scopes:
        raise Forbidden("scope_missing", scope="act_as")


def not_found(encounter: str) -> NotFound:
    """The one answer for no encounter and for somebody else's."""
    return NotFound("unknown_encounter", encounter=encounter)
