"""Who chooses for a side: from what the side sees and from its legal actions alone.

How this works. A side is asked with the nodes of what its combatants, units or itself may do now,
as the battle is known to it. `random` takes a node and fills in its parameters at random. `simple`
first tries nodes that name an enemy whom the side sees: of a few such actions that name nobody of
its own but who acts, it takes the one whose preview gives the best chance of coming to anything;
one whose odds are not told comes behind all others. Without any it takes the move, of a few, that
ends nearest to an enemy, if it leads nearer at all; and else what `random` would. The same words
serve every rulebook: outcomes that come to nothing are those in `VAIN`.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from service.encounters.simulations.messages import Policy
from service.engine.battle.permission import require_askable
from service.engine.battle.roster import combatant_of, is_out
from service.engine.battle.state import Combatant, RuleState, State
from service.engine.kit.action_nodes import ACTOR_FIELDS, LegalNode
from service.engine.kit.perception import perceive_as
from service.engine.kit.samples import Pick, pick_action
from service.engine.ruleset import Preview, Ruleset
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.errors import WarlogError

VAIN: Final = frozenset(
    {
        "avoided",
        "critical_failure",
        "failure",
        "fumble",
        "hits_0",
        "miss",
        "miss_concealment",
        "no_effect",
        "stalemate",
        "stopped",
        "terrible_mistake",
        "unhurt",
        "unnoticed",
    }
)
"""Outcomes of previews in which nothing comes of an attack."""

ATTACKS: Final = 6
"""Attacks that `simple` looks at before it takes one."""

MOVES: Final = 6
"""Moves that `simple` looks at before it takes one."""

_UNTOLD: Final = Fraction(1, 1_000_000)
"""The chance that an attack is taken to have whose odds are not told: hardly any."""

ChosenAction = Mapping[str, object]


class Chooser(Struct, frozen=True):
    """One side of one battle: by which policy it chooses, as whom it asks, what it picks by."""

    ruleset: Ruleset[Any]
    policy: Policy
    by: By
    side: str
    pick: Pick

    def choose(
        self, state: State[Any], nodes: Sequence[LegalNode], seq: int
    ) -> ChosenAction | None:
        """An action to ask for as event `seq`; None where there is nothing to do."""
        if self.policy == "simple":
            chosen = self._attack(state, nodes, seq) or self._approach(state, nodes)
            if chosen is not None:
                return chosen
        return pick_action(nodes, self.pick)

    def _attack(
        self, state: State[Any], nodes: Sequence[LegalNode], seq: int
    ) -> ChosenAction | None:
        """The likeliest of a few attacks."""
        view = perceive_as(state, self.by).rule
        able = [each for each in view.combatants if not is_out(each)]
        enemies = frozenset(each.id for each in able if each.side != self.side)
        friends = frozenset(each.id for each in view.combatants if each.side == self.side)
        aimed = [node for node in nodes if not enemies.isdisjoint(words_in(node["params"]))]
        best, chance = None, Fraction(0)
        for _ in range(ATTACKS if aimed else 0):
            action = pick_action(aimed, self.pick)
            if action is None or not _is_aimed(action, enemies, friends):
                continue
            likely = self._chance(state, action, seq)
            if likely > chance:
                best, chance = action, likely
        return best

    def _chance(self, state: State[Any], action: ChosenAction, seq: int) -> Fraction:
        """How likely an action is to come to anything; 0 for one that is not legal."""
        try:
            asked: Action = msgspec.convert(action, self.ruleset.action)
            require_askable(state, asked, self.by, seq)
            preview = self.ruleset.preview(state, asked, self.by)
        except (WarlogError, msgspec.ValidationError):
            return Fraction(0)
        return _chance_in(preview)

    def _approach(self, state: State[Any], nodes: Sequence[LegalNode]) -> ChosenAction | None:
        """The move of a few that leads nearest to an enemy."""
        view = perceive_as(state, self.by).rule
        goals = [
            (each.place.x, each.place.y)
            for each in view.combatants
            if each.side != self.side and not is_out(each) and each.place is not UNSET
        ]
        ways = [node for node in nodes if "path" in _mapping(node["example"])]
        best: ChosenAction | None = None
        nearest: int | None = None
        for _ in range(MOVES if goals and ways else 0):
            action = pick_action(ways, self.pick)
            end = None if action is None else _end_of(action)
            if action is None or end is None:
                continue
            here = _distance(end, goals)
            if here < _distance_now(view, action, goals) and (nearest is None or here < nearest):
                best, nearest = action, here
        return best


def words_in(value: object) -> Iterator[str]:
    """Every text in JSON values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from words_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_in(each)


def _is_aimed(action: ChosenAction, enemies: frozenset[str], friends: frozenset[str]) -> bool:
    """Whether an action names an enemy and nobody of its own side but who acts."""
    named = {*words_in({name: each for name, each in action.items() if name not in ACTOR_FIELDS})}
    return not named.isdisjoint(enemies) and named.isdisjoint(friends)


def _chance_in(preview: Preview) -> Fraction:
    if not preview.legal:
        return Fraction(0)
    if not preview.odds:
        return _UNTOLD
    telling = (each for each in preview.odds if each.outcome not in VAIN)
    return sum((Fraction(int(each.num), int(each.den)) for each in telling), Fraction(0))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _end_of(action: ChosenAction) -> tuple[int, int] | None:
    """Where the path of a move ends."""
    path = action.get("path")
    last = path[-1] if isinstance(path, list | tuple) and path else None
    match last:
        case {"x": int(x), "y": int(y)}:
            return x, y
        case _:
            return None


def _distance(end: tuple[int, int], goals: Sequence[tuple[int, int]]) -> int:
    """The square of the distance to the nearest."""
    return min((end[0] - x) ** 2 + (end[1] - y) ** 2 for x, y in goals)


def _distance_now(view: RuleState, action: ChosenAction, goals: Sequence[tuple[int, int]]) -> int:
    """The same of whoever would move."""
    mover: Combatant | None = combatant_of(view, str(action.get("combatant")))
    if mover is None or mover.place is UNSET:
        return 0
    return _distance((mover.place.x, mover.place.y), goals)
