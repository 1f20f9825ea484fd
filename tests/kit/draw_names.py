"""Every draw of a battle is named by one roll, in the eyes of everybody who sees it.

Few rolls tell faces again, and those only that are theirs.
"""

import msgspec

from service.engine.log.event import view_of_event
from service.engine.ruleset.roll_places import roll_places
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.audit.retold_check import RetoldCheck
from service.replay.audit.roll_check import SeenDraws
from tests.kit.table import Table, bodies


def require_named_draws(table: Table) -> None:
    """Each viewer who sees a draw sees the one roll that names it, and a draw for each face."""
    places = roll_places(table.ruleset.event, table.ruleset.retelling)
    sides = tuple(side.id for side in table.state.rule.sides)
    for viewer in (Viewer(), *(Viewer(sides=(side,)) for side in sides), GAME_MASTER):
        log = SeenDraws(since=1, retold=RetoldCheck(places, viewer.is_gm))
        for sealed in table.sealed:
            view = view_of_event(sealed.body, bodies(sealed), sides, viewer)
            wrong = log.fold(msgspec.json.decode(view), sealed.seq, str(viewer))
            assert wrong is None, (sealed.seq, wrong, table.events[sealed.seq - 1])
