"""Explanations of stored events, made from what the caller could see at that event."""

from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.cache import LoadedEncounter
from service.encounters.long_work import computed
from service.encounters.narrations import EVENT, names_mentioned, takes_out_of_play
from service.encounters.pending_events import dice_key_of
from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.responses import EventRecord
from service.encounters.views import viewer_then
from service.engine.log import parts
from service.engine.narration.explainer import EventContext, explainer_of
from service.engine.narration.explanation import Explanation
from service.engine.vocabulary.catalogue import Language


async def explained_event(
    reads: Reads, who: Principal, encounter: UUID, seq: int, language: Language
) -> EventRecord:
    """One event as `Reads.event` gives it, with its explanation. Raises what that raises."""
    record = await reads.event(who, encounter, seq)
    battle, by = await reads.load(who, encounter)
    seen = bytes(record.event if record.seen is UNSET else record.seen)
    state, before = await reads.state_at(battle, seq), None
    if takes_out_of_play(battle.ruleset, seen):
        before = await reads.state_at(battle, seq - 1)
    viewer = viewer_then(by, battle.state.linear, battle.sides, seq)
    context = EventContext(
        mode=battle.state.rule.dice,
        key=_revealed_key(battle),
        rewound_by=None if record.undone_by is UNSET else record.undone_by,
        is_erased=_is_erased(record),
    )

    def explained() -> Explanation:
        event = EVENT.decode(seen)
        names = names_mentioned(battle.ruleset, state, before, viewer, event)
        return explainer_of(battle.ruleset, language).explanation(event, names, context)

    # Always large: the first explanation of a ruleset reads all of its words.
    explanation = await computed(explained, is_large=True)
    return replace(record, explanation=explanation)


def _revealed_key(battle: LoadedEncounter) -> bytes | None:
    """The key of all dice once everyone may have it."""
    linear = battle.state.linear
    if linear.seed is UNSET:
        return None
    return dice_key_of(bytes.fromhex(linear.seed), battle.id, linear.contributions)


def _is_erased(record: EventRecord) -> bool:
    return any(part.kind == parts.TEXT and part.body is UNSET for part in record.parts)
