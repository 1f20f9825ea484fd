"""The odds of attacks, answers, escapes and movement tests, and what decides them."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.kit.odds import by_outcome, chance_of
from tests.kit.rig import Chances, ExactOdds, OddsScene, Tree
from tests.rulesets.seeker_d100.setups import battle_of, do, fighter, only, strike, wall, weapon

OPPOSED: Final = frozenset({"attack", "dodge", "resist", "take_cover", "break_free", "movement"})


def told(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chances of each victim, and those of the roll: of an attack with a radius, of a check."""
    odds, victims = by_outcome(preview["odds"]), preview["facts"].get("victims")
    if victims is None:
        return odds
    chances = {name: chance for victim in victims for name, chance in of_victim(victim).items()}
    if "area" in preview["facts"] and action["type"] != "answer":
        return chances | odds
    assert [victim.get("odds", []) for victim in victims] == [preview["odds"]]
    return chances


def of_victim(victim: Tree) -> dict[str, Fraction]:
    """The chances of one victim, by its id and the ending."""
    who = victim["combatant"]
    chances = {f"{who} {end}": share for end, share in by_outcome(victim.get("odds", ())).items()}
    besides = [chance for name in ("in_cover", "counter") if (chance := victim.get(name))]
    return chances | {f"{who} {each['outcome']}": chance_of(each) for each in besides}


def ended(effects: list[Tree]) -> Iterator[str]:
    """The outcomes of attacks, dives and counter-attacks by victim, and of any other check."""
    checks = only(effects, "check_resolved")
    dives = [each for each in checks if each["check"] == "take_cover"]
    divers = [each["combatant"] for each in dives if each["outcome"] in ("success", "critical")]
    yield from (f"{diver} in_cover" for diver in divers)
    yield from (each["outcome"] for each in checks if each not in dives)
    for attack in only(effects, "attack_resolved"):
        target, detail = attack["target"], attack["detail"]
        is_counter = detail["mode"] == "counter"
        yield f"{detail['attacker']} counter" if is_counter else f"{target} {attack['outcome']}"
    for area in only(effects, "area_resolved"):
        yield area["outcome"]
        victims = {each["target"]: each["outcome"] for each in area["victims"]}
        yield from (f"{victim} {outcome}" for victim, outcome in victims.items())
        yield from (f"{diver} {left(area)}" for diver in divers if diver not in victims)


def left(area: Tree) -> str:
    """How an attack ended for somebody who dived out of its area, of whom it says nothing."""
    is_strike = area["outcome"] in ("hit", "critical")
    return "avoided" if is_strike else str(area["outcome"])


def foreseen_kill(action: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    """The chance of an instant kill of the one victim."""
    [victim] = preview["facts"]["victims"]
    return {"instant_kill": chance_of(victim["instant_kill"])}


def killed(effects: list[Tree]) -> Iterable[str]:
    """That somebody was killed outright, as his wound reports."""
    reports = [report for hurt in only(effects, "hurt") for report in hurt["reports"]]
    is_killed = any(each["about"] == "lethality" and each["value"] != "digits" for each in reports)
    return ["instant_kill"] if is_killed else []


OUTCOMES: Final = Chances(purposes=OPPOSED, told=told, ended=ended)
KILLS: Final = Chances(purposes=OPPOSED | {"lethality"}, told=foreseen_kill, ended=killed)


def duel(a: Tree, t: Tree, *others: Tree, **setup: Any) -> Tree:
    """Ann's a, who has the turn, and Bob's t next to it."""
    people = [fighter("a", "red", 0, 0, **a), fighter("t", "blue", 1, 0, **t), *others]
    return {"combatants": people, "battle": battle_of(*people), **setup}


def scene(
    action: Tree, setup: Tree, answer: Tree | None = None, chances: Chances = OUTCOMES
) -> OddsScene:
    """An action of a's, which t answers or declines to answer."""
    answers = {} if answer is None else {"t": answer}
    return OddsScene(setup=setup, action=action, answers=answers, chances=chances)


def skilled(unarmed: int) -> Tree:
    """A's bare hands at so many per cent, against t who has acted."""
    return duel({"skills": {"unarmed": unarmed}}, {"actions_left": 0})


def standing(natural: int) -> Tree:
    """A roll of t's that stands, and may strike back."""
    level = 3 if natural in (1, 44) else 2
    roll = {"kind": "resist_counter", "natural": natural, "level": level, "item": "w_unarmed"}
    return duel({}, {"standing_roll": roll, "actions_left": 0})


def shooting(ranged: int, **options: Any) -> Tree:
    """A's lethal rifle at so many per cent, against t who has acted and dies of nothing less."""
    rifle = {"weapons": [weapon("w_heavy_rifle")], "skills": {"ranged": ranged}}
    return duel(rifle, {"health": 1000, "actions_left": 0, **AT_5}, options=options)


KNIFE: Final[Tree] = {"weapons": [weapon("w_knife")]}
SMG: Final[Tree] = {"weapons": [weapon("w_smg")]}
GRENADE: Final[Tree] = {"weapons": [weapon("w_grenade", delivery="explosive")]}
AT_5: Final[Tree] = {"place": {"x": 5, "y": 0}}
HELD: Final[Tree] = {"held_by": {"holder": "t", "natural": 40, "level": 2}, "strength": 12}
DIVE: Final[Tree] = {"type": "take_cover", "cover": "wall", "to": {"x": 7, "y": 0}}
JOG: Final[Tree] = do("move", gait="jog", path=[{"x": 0, "y": 3}], test={"modifier": 5})

ODDS: Final = ExactOdds(
    usual=OUTCOMES,
    scenes={
        "declined": scene(strike(), duel({}, {})),
        "without doubles": scene(strike(), duel({}, {}, options={"doubles": False})),
        "dodged": scene(strike(), duel({}, {"skills": {"dodge": 33}}), {"type": "dodge"}),
        "resisted, the lower die is better": scene(
            strike(),
            duel({}, KNIFE, options={"opposed_die": "low"}),
            {"type": "resist", "weapon": "w_knife"},
        ),
        "a stance": scene(strike(), duel({}, {"answering": {"kind": "dodge"}, "actions_left": 0})),
        "two in an area, one dives out of it": scene(
            strike("w_smg"),
            duel(
                SMG,
                {"skills": {"dodge": 70}, **AT_5},
                fighter("u", "blue", 5, 1),
                map={"cover": [wall(4)]},
            ),
            DIVE,
        ),
        "an area without answers": scene(
            strike("w_grenade"),
            duel(GRENADE, AT_5, fighter("u", "blue", 6, 0, actions_left=0)),
        ),
        "free from a new roll": scene(
            do("break_free"),
            duel(HELD, {"holding": "a"}, options={"break_free_versus": "new_roll"}),
        ),
        "free from the roll of the grapple": scene(
            do("break_free"),
            duel(HELD, {"holding": "a"}, options={"break_free_versus": "grapple_roll"}),
        ),
        "a movement test": scene(JOG, duel({}, {})),
    }
    | {f"skill {skill}": scene(strike(), skilled(skill)) for skill in (0, 1, 99, 100, 130)}
    | {f"against {natural}": scene(strike(), standing(natural)) for natural in (1, 20, 44, 50)}
    | {
        f"{critical} lethality at {skill}, attack roll kills: {kills}": scene(
            strike("w_heavy_rifle"),
            shooting(skill, lethality_critical=critical, attack_roll_kills=kills),
            chances=KILLS,
        )
        for critical, kills, skill in (
            ("double", True, 50),
            ("double", False, 50),
            ("instant", True, 95),
            ("instant", False, 5),
        )
    },
)
