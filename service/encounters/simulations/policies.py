"""Who chooses for a side: from what the side sees and from its legal actions alone.

How this works. A side is asked with what its combatants, units or itself may do now, as the battle
is known to it. `random` takes a node and fills in its parameters at random. `simple` first looks at
attacks that name an enemy whom the side sees and none of its own: of a few it takes the one whose
preview gives the best chance of coming to anything; one whose odds are not shown comes behind all
others. Without any it takes the move that ends nearest to an enemy, if it leads nearer at all. Then
comes what helps: to answer, begin, break free, get up, reload (`HELPFUL`), but not twice running;
then an end, of the phase before the turn (`ENDS`); and else what `random` would. A side that sees
no enemy looks for one: half of the time it does anything before it ends. The same words serve every
rulebook: outcomes that come to nothing are those in `VAIN`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from service.encounters.simulations.messages import Policy
from service.encounters.simulations.sight import Sight, distance, sight_of
from service.engine.battle.permission import require_askable
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import Combatant, RuleState, State
from service.engine.kit.resolution import perceive_as
from service.engine.kit.samples import Pick, pick_action
from service.engine.narration.names import words_in
from service.engine.ruleset.definition import Preview, Ruleset
from service.engine.ruleset.legal_nodes import LegalNode, NodeSource, NodeUse
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

ANSWERS: Final = 4
"""Answers that `simple` looks at before it passes."""

HARMLESS: Final = frozenset({"disarm", "grapple", "suppress"})
"""Attacks that wound nobody: they come behind those that do."""

ATTACKS: Final = 6
"""Attacks that `simple` looks at before it takes one."""

MOVES: Final = 12
"""Moves that `simple` looks at before it takes one, where they are not listed."""

HELPFUL: Final = (
    "answer",
    "activate_unit",
    "break_free",
    "stand_up",
    "right_self",
    "stand",
    "unmask",
    "reload",
    "pick_up",
    "aim",
    "guard",
)
"""Types of actions that help whoever can neither attack nor come nearer, the best first."""

ENDS: Final = ("end_movement", "end_activation", "end_turn")
"""Types of actions that end something, the smallest first."""

_UNTOLD: Final = Fraction(1, 1_000_000)
"""The chance that an attack is taken to have whose odds are not told: hardly any."""

ChosenAction = Mapping[str, object]


class Menu:
    """What may be done now, each part of it worked out when it is first looked at.

    `last` is what the side did just before.
    """

    def __init__(self, sources: Sequence[NodeSource], last: ChosenAction | None = None) -> None:
        self._sources = sources
        self._made: dict[int, tuple[LegalNode, ...]] = {}
        self.last = last

    def of(self, use: NodeUse) -> list[LegalNode]:
        """All nodes of this use."""
        numbers = (at for at, source in enumerate(self._sources) if source.use == use)
        return [node for number in numbers for node in self._nodes(number)]

    def any(self, pick: Pick) -> Sequence[LegalNode]:
        """The nodes of any source that has some; none if there are none at all."""
        left = [*range(len(self._sources))]
        while left:
            nodes = self._nodes(left.pop(pick(len(left))))
            if nodes:
                return nodes
        return ()

    def _nodes(self, number: int) -> tuple[LegalNode, ...]:
        nodes = self._made.get(number)
        if nodes is None:
            nodes = self._made[number] = tuple(self._sources[number].make())
        return nodes


class Chooser(Struct, frozen=True):
    """One side of one battle: by which policy it chooses, as whom it asks, what it picks by."""

    ruleset: Ruleset[Any]
    policy: Policy
    by: By
    side: str
    pick: Pick

    def choose(self, state: State[Any], menu: Menu, seq: int) -> ChosenAction | None:
        """An action to ask for as event `seq`; None where there is nothing to do."""
        chosen = self._simple(state, menu, seq) if self.policy == "simple" else None
        return chosen or pick_action(menu.any(self.pick), self.pick)

    def _simple(self, state: State[Any], menu: Menu, seq: int) -> ChosenAction | None:
        """What seems best; None for anything."""
        view = perceive_as(state, self.by).rule
        sight = sight_of(view, self.side)
        for use in ("attack", "approach") if sight.enemies else ():
            attack = self._attack(state, sight, menu.of(use), seq)
            if attack is not None:
                return attack
        if sight.goals:
            move = self._approach(view, sight, menu.of("approach"))
            if move is not None:
                return move
        others = menu.of("other")
        helpful = self._first(others, HELPFUL)
        if helpful is not None and helpful != menu.last:
            return helpful
        if not sight.enemies and self.pick(2):
            return None
        return self._first(others, ENDS)

    def _attack(
        self, state: State[Any], sight: Sight, nodes: Sequence[LegalNode], seq: int
    ) -> ChosenAction | None:
        """The likeliest of a few attacks."""
        narrowed = [sight.aimed(node) for node in nodes]
        aimed = [node for node in narrowed if node is not None]
        best, chance, seen = None, Fraction(0), list[ChosenAction]()
        for _ in range(ATTACKS if aimed else 0):
            action = pick_action(aimed, self.pick)
            if action is None or action in seen or not sight.names_enemies_only(action):
                continue
            seen.append(action)
            likely = self._chance(state, action, seq)
            if action["type"] in HARMLESS:
                likely *= _UNTOLD
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

    def _approach(
        self, view: RuleState, sight: Sight, nodes: Sequence[LegalNode]
    ) -> ChosenAction | None:
        """The move that leads nearest to an enemy: of all that are listed, else of a few."""
        ways = [
            sight.nearest_ends(node)
            for node in nodes
            if getattr(node.example, "path", UNSET) is not UNSET
        ]
        best: ChosenAction | None = None
        nearest: int | None = None
        for _ in range(MOVES if ways else 0):
            action = pick_action(ways, self.pick)
            end = None if action is None else _end_of(action)
            if action is None or end is None:
                continue
            here = distance(end, sight.goals)
            is_nearer = here < _distance_now(view, action, sight.goals)
            if is_nearer and (nearest is None or here < nearest):
                best, nearest = action, here
        return best

    def _first(self, nodes: Sequence[LegalNode], types: Sequence[str]) -> ChosenAction | None:
        """An action of the first of these types that there is; an answer is no pass if it can."""
        of_type = {node.type: node for node in reversed(nodes)}
        node = next((of_type[each] for each in types if each in of_type), None)
        if node is None:
            return None
        action = None
        for _ in range(ANSWERS):
            action = pick_action([node], self.pick)
            if not _declines(action):
                break
        return action


def _declines(action: ChosenAction | None) -> bool:
    """Whether an answer is `pass`, or a pass for more than what is asked, such as `pass_walk`."""
    return any(word == "pass" or word.startswith("pass_") for word in words_in(action))


def _chance_in(preview: Preview) -> Fraction:
    if not preview.legal:
        return Fraction(0)
    if not preview.odds:
        return _UNTOLD
    telling = (each for each in preview.odds if each.outcome not in VAIN)
    return sum((Fraction(int(each.num), int(each.den)) for each in telling), Fraction(0))


def _end_of(action: ChosenAction) -> tuple[int, int] | None:
    """Where the path of a move ends."""
    path = action.get("path")
    last = path[-1] if isinstance(path, list | tuple) and path else None
    match last:
        case {"x": int(x), "y": int(y)}:
            return x, y
        case _:
            return None


def _distance_now(view: RuleState, action: ChosenAction, goals: Sequence[tuple[int, int]]) -> int:
    """The same of whoever would move."""
    mover: Combatant | None = combatant_of(view, str(action.get("combatant")))
    if mover is None or mover.place is UNSET:
        return 0
    return distance((mover.place.x, mover.place.y), goals)
