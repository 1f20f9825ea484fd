"""The odds of attacks and of hiding, and what decides them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.kit.odds import by_outcome
from tests.kit.rig import Chances, ExactOdds, OddsScene, Tree
from tests.rulesets.crossfire_d6.setups import blade, fighter, in_progress, rifle


def told(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances by outcome."""
    return by_outcome(preview["odds"])


def ended(effects: list[Tree]) -> Iterable[str]:
    """The outcome of the attack, before anybody else whom a reckless miss hits, or of hiding."""
    kinds = ("attack_resolved", "check_resolved")
    return [each["outcome"] for each in effects if each["type"] in kinds][:1]


OUTCOMES: Final = Chances(purposes=frozenset({"attack", "hide"}), told=told, ended=ended)

SHOT: Final[Tree] = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
BLOW: Final[Tree] = {"type": "melee_attack", "combatant": "a", "weapon": "blade", "target": "t"}
HIDE: Final[Tree] = {"type": "hide", "combatant": "a", "against": "t"}
PINNED: Final[Tree] = {"agi_pool": 2, "pin_count": 2}
GUNMAN: Final[Tree] = {"int_pool": 2, "weapons": [rifle()]}


def duel(a: Tree, t: Tree, *, x: int = 4, **options: Any) -> Tree:
    """Ann's a, who has the turn, and Bob's t so many cells east."""
    people = [
        fighter("a", "red", 0, 0, **{"weapons": [rifle(), blade()], **a}),
        fighter("t", "blue", x, 0, **t),
    ]
    return {"combatants": people, "battle": in_progress("a", "t"), "options": options}


def scene(action: Tree, *duelists: Tree, **more: Any) -> OddsScene:
    """An action of a's, counted by its outcome."""
    setup = duel(*duelists, **more)
    return OddsScene(setup=setup, action=action, answers={}, chances=OUTCOMES)


ODDS: Final = ExactOdds(
    usual=OUTCOMES,
    scenes={
        "five dice": scene(SHOT, {}, {"ranged_defence": 17}),
        "two sixes are a critical hit": scene(
            SHOT, {}, {"ranged_defence": 20}, natural_crit_sixes=2
        ),
        "hiding, equal sums succeed": scene(HIDE, PINNED, GUNMAN),
        "hiding, equal sums fail": scene(HIDE, PINNED, GUNMAN, hide_tie_succeeds=False),
        "helpless": scene(BLOW, {}, {"conditions": ["helpless"]}, x=1),
    },
)
