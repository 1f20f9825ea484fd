"""What the service does for an action between reading and storing it, in memory."""

from typing import Any

from _battles import Tree

from service.engine import hashing
from service.engine.battle import decide, fold
from service.engine.dice.dice import SealedDice
from service.engine.log import event as events
from service.engine.log.event import Sealer
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action
from tests.kit import given_when_then as tables
from tests.kit.table import GM, SEAL_KEY
from tests.kit.table import Table as InMemory

NOW = "2026-11-21T20:00:00.000Z"
SALTS = bytes(16 * 18)


def begun(ruleset: Ruleset[Any], creation: Tree) -> InMemory:
    """A running battle in memory."""
    stated = {name: value for name, value in creation.items() if name != "ruleset"}
    return tables.played(ruleset, stated)


def decided(battle: InMemory, action: Action) -> None:
    """What the service does for an action between reading and storing it."""
    state, seq = battle.state, len(battle.sealed) + 1
    dice = SealedDice(hashing.dice_key(battle.seed, battle.encounter, hashing.entropy(())), seq)
    effects = decide.decide(battle.ruleset, state, action, GM, seq, dice)
    event = battle.ruleset.event(
        seq=seq,
        base=seq - 1,
        encounter=battle.encounter,
        at=NOW,
        by=GM,
        action=action,
        draws=tuple(dice.draws),
        effects=effects,
    )
    _, scopes = fold.unfold(battle.ruleset, state, event)
    layout = events.lay_out(event, scopes)
    events.seal(layout, battle.head, Sealer(seal_key=SEAL_KEY, text_salts=SALTS))
