"""Holds a whole battle to the law of its dice, in everybody's eyes."""

from service.engine.log.event import seen
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.audit.roll_check import SeenDraws
from tests.toy.table import Table


def require_named(table: Table) -> None:
    """Whoever sees a draw sees the one roll that names it, and the draw of every face told."""
    sides = tuple(side.id for side in table.state.rule.sides)
    for viewer in (Viewer(), *(Viewer(sides=(side,)) for side in sides), GAME_MASTER):
        log = SeenDraws(since=1)
        for sealed in table.sealed:
            parts: dict[tuple[str, str], bytes] = {
                (p.kind, p.audience): p.body for p in sealed.parts if not p.is_empty
            }
            view = seen(sealed.body, parts, sides, viewer)
            wrong = log.fold(view, sealed.seq, str(viewer))
            assert wrong is None, (sealed.seq, wrong, table.events[sealed.seq - 1])
