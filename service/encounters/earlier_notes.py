"""The notes whose text the state leaves to the log, read for a view.

How this works. The state tells which events left them, and one read brings the text parts of these
events that are for the viewer, as they were sealed. Nothing else of the events is opened.
"""

from typing import Any
from uuid import UUID

from service.engine.battle.linear import WHOLE_NOTES, Linear, Note
from service.engine.log import parts
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import Viewer
from service.eventstore.log_reads import Log


async def earlier_notes(
    log: Log, encounter: UUID, linear: Linear, viewer: Viewer
) -> tuple[Note, ...]:
    """All notes but the last WHOLE_NOTES, with what text there is for this viewer."""
    seqs = [note.seq for note in linear.notes[:-WHOLE_NOTES]]
    if not seqs:
        return ()
    audiences = (EVERYONE_WORD, GM_WORD) if viewer.is_gm else (EVERYONE_WORD,)
    texts: dict[int, dict[str, Any]] = {seq: {} for seq in seqs}
    for seq, body in await log.texts(encounter, seqs, audiences):
        for path, text in parts.PARTS.decode(body).entries:
            # The action has it too.
            if path[0] == "effects":
                texts[seq][str(path[-1])] = text
    return tuple([Note(seq=seq, **texts[seq]) for seq in seqs])
