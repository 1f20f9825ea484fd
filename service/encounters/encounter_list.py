"""The list of encounters as callers ask for it: pages that continue one another."""

from hashlib import sha256
from typing import Final

import msgspec
from msgspec import UNSET

from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import recorded
from service.encounters.cursors import read_cursor, write_cursor
from service.encounters.principal import Principal
from service.encounters.responses import EncounterPage, EncounterSummary
from service.encounters.views import metadata_of, summary_of
from service.engine.battle.linear import Linear
from service.engine.ruleset.definition import Rulesets
from service.errors import Malformed
from service.eventstore.encounter_list import Directory, Selection
from service.eventstore.records import EncounterEntry

_TERMS_DIGITS: Final = 8


def require_listable(selection: Selection, rulesets: Rulesets) -> None:
    """What is asked for can be there at all. Raises Malformed for a ruleset that is not."""
    slugs = sorted({slug for slug, _ in rulesets})
    if selection.ruleset is not None and selection.ruleset not in slugs:
        raise Malformed(
            path="query.ruleset", why="unknown_value", value=selection.ruleset, allowed=slugs
        )


async def page_of(
    directory: Directory, who: Principal, selection: Selection, cursor: str | None, limit: int
) -> EncounterPage:
    """A page of the tenant's encounters. Raises Malformed for a cursor of another list."""
    terms = terms_of(selection)
    after = None if cursor is None else read_cursor(cursor, "cursor", terms)
    rows = await directory.page(who.tenant, selection, after=after, limit=limit + 1)
    page = rows[:limit]
    is_more = len(rows) > limit
    return EncounterPage(
        encounters=tuple(_entry(row) for row in page),
        next=write_cursor(page[-1].created_at, page[-1].id, terms) if is_more else UNSET,
    )


def page_of_one(battle: LoadedEncounter, selection: Selection, cursor: str | None) -> EncounterPage:
    """The list of a caller who has one encounter. Raises Malformed for a cursor of another list."""
    if cursor is not None:
        after = read_cursor(cursor, "cursor", terms_of(selection))
        place, own = (after.created_at, after.id), (battle.row.created_at, battle.row.id)
        if own >= place if selection.newest_first else own <= place:
            return EncounterPage(encounters=())
    return EncounterPage(
        encounters=(summary_of(battle),) if _is_selected(battle, selection) else ()
    )


def terms_of(selection: Selection) -> str:
    """What a cursor remembers of the list it is of: its order and filters."""
    return sha256(msgspec.json.encode(selection)).hexdigest()[:_TERMS_DIGITS]


def _entry(row: EncounterEntry) -> EncounterSummary:
    return EncounterSummary(
        encounter=str(row.id),
        title=UNSET if row.title is None else row.title,
        metadata=UNSET if row.metadata is None else metadata_of(row.metadata.decode()),
        ruleset=row.ruleset,
        version=row.version,
        status=row.status,
        seq=row.head_seq,
        created_at=recorded(row.created_at),
    )


def _is_selected(battle: LoadedEncounter, selection: Selection) -> bool:
    return (
        selection.status in (None, battle.state.rule.status)
        and selection.ruleset in (None, battle.row.ruleset)
        and _is_so(battle.state.linear, selection.metadata)
    )


def _is_so(linear: Linear, wanted: tuple[str, str] | None) -> bool:
    """Whether the metadata have this text under this key."""
    if wanted is None:
        return True
    stated = {} if linear.metadata is UNSET else msgspec.json.decode(linear.metadata, type=_MEMBERS)
    key, text = wanted
    return key in stated and bytes(stated[key])[:1] == b'"' and _text(stated[key]) == text


_MEMBERS: Final = dict[str, msgspec.Raw]


def _text(raw: msgspec.Raw) -> str:
    return msgspec.json.decode(raw, type=str)
