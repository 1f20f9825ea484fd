"""Events that contradict themselves, their action or event 1, in battles of every rulebook.

How this works. Each kind looks for the last event of a battle's redacted bundle that it can change,
so that it fits each rulebook that has such an event and few lines differ from the true ones. The
body is changed, hashed, linked and signed again; parts and faces stay those of the seed.
"""

from collections.abc import Callable, Collection, Iterator
from json import loads
from typing import Any, Final, NamedTuple

from tests.forgeries.bundle_forger import Forger, Line
from tests.forgeries.bundle_forgeries import Forgery

WHOLE: Final = ("walk_elsewhere", "round_skipped", "other_item")
OVERRIDE: Final = {"type": "adjust", "changes": []}
Change = Callable[[Line], object]


class Lie(NamedTuple):
    """How event `told` is changed, and the path of what then does not hold.

    It does not hold in event `later`, if that is another.
    """

    told: int
    path: str
    change: Change
    later: int | None = None

    @property
    def seq(self) -> int:
        """The event with the difference."""
        return self.later or self.told


def of_the_invariants(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of one battle, as red may read it."""
    yield from of_kinds(forger, name, KINDS, whole=WHOLE)


def of_kinds(
    forger: Forger, name: str, kinds: "Kinds", *, whole: Collection[str]
) -> Iterator[Forgery]:
    """Forgeries of these kinds; a kind that has no event in the battle is left out.

    Kinds that the rules find at the same place in a whole bundle are found in one as well.
    """
    lines = map(loads, forger.bundles[forger.red])
    bodies = [line["event"] for line in lines if line["type"] == "event"]
    for kind, (about, find) in kinds.items():
        files = {"red": forger.red, **({"gm": forger.gm} if kind in whole else {})}
        lies = [*find(bodies)]
        for lie in [each for each in lies if each.told == lies[-1].told][:1]:
            line = forger.line_of(lie.seq)
            found = {"check": "invariants", "line": line, "path": lie.path}
            for side, file in files.items():
                told = forger.rehashed(lie.told, lie.change, file=file)
                yield Forgery(f"{name}_{kind}_{side}", about, file, told, found)


Found = Iterator[Lie]
Bodies = list[Line]
Kinds = dict[str, tuple[str, Callable[[Bodies], Found]]]


def effects_of(bodies: Bodies, kind: str) -> Iterator[tuple[Line, int, Any]]:
    """The effects of a kind with their events and places."""
    for body in bodies:
        for place, effect in enumerate(body["effects"]):
            if effect["type"] == kind:
                yield body, place, effect


def _asked(bodies: Bodies) -> Iterator[tuple[Line, Any]]:
    """Events of players with an action that everybody sees of a combatant."""
    for body in bodies:
        action = body.get("action", {})
        if body["by"]["role"] == "player" and "combatant" in action:
            yield body, action


def _override_told(bodies: Bodies) -> Found:
    for body, _ in _asked(bodies):
        path = f"$.effects[{len(body['effects'])}]"
        yield Lie(body["seq"], path, lambda each: each["effects"].append({"type": "adjusted"}))


def _override_asked(bodies: Bodies) -> Found:
    for body, _ in _asked(bodies):
        yield Lie(body["seq"], "$.action", lambda each: each.update(action=dict(OVERRIDE)))


def _walk_elsewhere(bodies: Bodies) -> Found:
    for body, place, moved in effects_of(bodies, "moved"):
        if moved["path"]:
            end = {**moved["end"], "x": moved["end"]["x"] + 1}
            path = f"$.effects[{place}].end.x"
            yield Lie(body["seq"], path, _updated(place, end=end))


def _round_skipped(bodies: Bodies) -> Found:
    for body, place, began in effects_of(bodies, "round_began"):
        path = f"$.effects[{place}].round"
        yield Lie(body["seq"], path, _updated(place, round=began["round"] + 1))


def _other_weapon(bodies: Bodies) -> Found:
    for body, action in _asked(bodies):
        for place, effect in enumerate(body["effects"]):
            detail = effect.get("detail", {})
            if "weapon" in action and detail.get("attacker") == action["combatant"]:
                path = f"$.effects[{place}].detail.item"
                yield Lie(body["seq"], path, lambda each: each["action"].update(weapon="sling"))


def _other_item(bodies: Bodies) -> Found:
    for body, place, hurt in effects_of(bodies, "hurt"):
        action, source = body.get("action", {}), hurt.get("source", {})
        if "weapon" in action and source.get("combatant") == action["combatant"]:
            other = {**source, "item": "sling"}
            yield Lie(body["seq"], f"$.effects[{place}].source.item", _updated(place, source=other))


def _no_roll(bodies: Bodies) -> Found:
    for body, place, attack in effects_of(bodies, "attack_resolved"):
        if bodies[0]["effects"][0]["dice"]["mode"] != "sealed":
            return
        roll = attack.get("detail", {}).get("roll")
        numbers = [draw["number"] for draw in body["draws"]]
        if roll is None or len(roll["draws"]) > 1:
            continue
        left = roll["draws"][0]["number"] - 1
        if numbers[left:] and left + len(roll["faces"]) == len(numbers):
            path = f"$.effects[{place}].detail.roll"
            yield Lie(body["seq"], path, _without_roll(place, left))


def _without_roll(place: int, left: int) -> Change:
    def told(body: Line) -> None:
        del body["effects"][place]["detail"]["roll"]
        del body["draws"][left:]

    return told


def _strange_dice(bodies: Bodies) -> Found:
    for body, place, attack in effects_of(bodies, "attack_resolved"):
        runs = attack.get("detail", {}).get("roll", {}).get("draws", [])
        if runs and "seq" not in runs[0] and "combatant" in body["draws"][0]:
            at = runs[0]["number"] - 1
            path = f"$.effects[{place}].detail.roll.draws"
            yield Lie(body["seq"], path, _of_another(at))


def _strange_check(bodies: Bodies) -> Found:
    for body, place, check in effects_of(bodies, "check_resolved"):
        runs = check.get("roll", {}).get("draws", [])
        if runs and "seq" not in runs[0] and "combatant" in body["draws"][0]:
            path = f"$.effects[{place}].roll.draws"
            yield Lie(body["seq"], path, _of_another(runs[0]["number"] - 1))


def _of_another(at: int) -> Change:
    return lambda body: body["draws"][at].update(combatant="nobody")


def _not_theirs(bodies: Bodies) -> Found:
    other = {"rosa": "boris", "boris": "rosa"}
    for body, _ in _asked(bodies):
        yield Lie(body["seq"], "$.action.combatant", _asked_by(other[body["by"]["seat"]]))


def _asked_by(seat: str) -> Change:
    return lambda body: body["by"].update(seat=seat, id=seat)


def _no_seat(bodies: Bodies) -> Found:
    for body, _ in _asked(bodies):
        yield Lie(body["seq"], "$.by.seat", lambda each: each["by"].update(seat="nobody"))


def _other_role(bodies: Bodies) -> Found:
    for body, _ in _asked(bodies):
        yield Lie(body["seq"], "$.by.seat", lambda each: each["by"].update(role="gm"))


def _more_dice(bodies: Bodies) -> Found:
    """The sheet states another number of dice than the wound has."""
    for body, place, hurt in effects_of(bodies, "hurt"):
        source = hurt.get("source", {})
        path = f"$.effects[{place}].source.roll.faces"
        for kind in ("combatant_added", "revealed"):
            for added, at, effect in effects_of(bodies, kind):
                sheet = effect["combatant"]
                if "roll" not in source or sheet["id"] != source["combatant"]:
                    continue
                for nth, weapon in enumerate(sheet.get("weapons", [])):
                    has_dice = "damage_dice" in weapon or "count" in weapon.get("damage", {})
                    if has_dice and weapon["id"] == source["item"]:
                        change = _with_a_die_more(at, nth)
                        yield Lie(added["seq"], path, change, body["seq"])


def _with_a_die_more(place: int, nth: int) -> Change:
    def told(body: Line) -> None:
        weapon = body["effects"][place]["combatant"]["weapons"][nth]
        if "damage_dice" in weapon:
            weapon["damage_dice"] += 1
        else:
            weapon["damage"]["count"] += 1

    return told


def _updated(place: int, **values: object) -> Change:
    return lambda body: body["effects"][place].update(values)


KINDS: Final[Kinds] = {
    "override_told": ("An effect of the game master's that nobody asked for.", _override_told),
    "override_asked": ("An override without its effect.", _override_asked),
    "walk_elsewhere": ("A walk ends elsewhere than its path.", _walk_elsewhere),
    "round_skipped": ("A round is skipped.", _round_skipped),
    "other_weapon": ("Another weapon was asked for than that of the attack.", _other_weapon),
    "other_item": ("Damage is by another weapon than was asked for.", _other_item),
    "no_roll": ("An attack without a roll; its dice are gone.", _no_roll),
    "strange_dice": ("Dice of an attack are those of another combatant.", _strange_dice),
    "strange_check": ("Dice of a check are those of another combatant.", _strange_check),
    "not_theirs": ("A seat acts for a combatant of another.", _not_theirs),
    "no_seat": ("A seat acts that there is not.", _no_seat),
    "other_role": ("A player's seat acts as the game master's.", _other_role),
    "more_dice": ("The sheet has more dice of damage than the wound.", _more_dice),
}
