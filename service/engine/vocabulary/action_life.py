"""When an action is taken: in which statuses, before which seed, over which open decisions.

Every action type has one of these as its `LIFE`; `battle/permission.py` judges by it.
"""

from dataclasses import dataclass
from typing import Final

NOT_RUNNING: Final = "encounter_not_running"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLife:
    """The moments in which an action is taken.

    `setup`, `running` and `ended` are the code it is refused with in that status, None where it is
    taken. `forked` is that in a fork which has not gone on yet; without one it is that of `setup`.
    `is_until_seed`: once the seed is out it is refused as `seed_revealed`, whatever the
    status. `waits`: it is refused as `decision_pending` while decisions are open.
    """

    setup: str | None = None
    forked: str | None = None
    running: str | None = None
    ended: str | None = NOT_RUNNING
    is_until_seed: bool = False
    waits: bool = True


IN_BATTLE: Final = ActionLife(setup=NOT_RUNNING)
"""While the battle runs: what combatants do."""

ON_QUESTIONS: Final = ActionLife(setup=NOT_RUNNING, waits=False)
"""While the battle runs, open decisions or not."""

UNTIL_THE_END: Final = ActionLife(forked=NOT_RUNNING)
"""Before and during the battle."""

UNTIL_THE_END_AT_ONCE: Final = ActionLife(forked=NOT_RUNNING, waits=False)
"""Before and during the battle, open decisions or not."""

UNTIL_THE_START: Final = ActionLife(running="already_started")
"""Before the battle."""

TERMS: Final = ActionLife(forked="options_frozen", running="options_frozen")
"""Before the battle: what the start freezes."""

CREATION: Final = ActionLife(running="already_created", ended="already_created", waits=False)
"""As event 1; that it is the first one is judged by its seq."""

UNTIL_THE_SEED: Final = ActionLife(ended=None, is_until_seed=True, waits=False)
"""As long as the dice are sealed, open decisions or not."""

ON_THE_LOG: Final = ActionLife(
    setup="rewind_before_start", ended=None, is_until_seed=True, waits=False
)
"""From the start on, as long as the dice are sealed, open decisions or not."""

AFTER_THE_END: Final = ActionLife(setup=NOT_RUNNING, running="encounter_not_ended", ended=None)
"""After the battle."""

ALWAYS: Final = ActionLife(ended=None)
"""In every status, but not over open decisions."""
