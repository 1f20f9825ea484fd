"""The table of invariants as `/docs/specification` has it: a second reading of the page."""

from collections.abc import Iterator
from typing import Any, Final

Tree = dict[str, Any]
Found = Iterator[str]

NOT_ROLLED: Final = ("obstructed", "wasted", "counter", "CF-ALLY-3", "CF-HELP-1")
"""The outcome, mode or rule of attacks without a roll."""

ROLLERS: Final = {
    "attack_resolved": [
        ("detail.roll", "detail.attacker", ""),
        ("detail.scatter", "detail.attacker", ""),
        ("detail.saves.roll", "detail.saves.target", ""),
        ("detail.against.roll", "detail.against.target", ""),
        ("detail.miss_chance", "target", ""),
        ("guess.miss_chance", "detail.attacker", ""),
        ("answered.roll", "answered.combatant", ""),
    ],
    "area_resolved": [
        ("detail.roll", "detail.attacker", ""),
        ("roll", "target", "victims"),
        ("answered.roll", "answered.combatant", "victims"),
    ],
    "check_resolved": [
        ("roll", "combatant", ""),
        ("reroll.roll", "combatant", ""),
        ("opposed.roll", "opposed.combatant", ""),
    ],
    "hurt": [("source.roll", "source.combatant", "")],
    "rolled": [("roll", "combatant", "")],
}
"""Of each type of effect: where a roll is, where the one who rolls is, and within which list."""


def at(value: Any, way: str) -> Any:
    """What is found on a way with dots, None if nothing is."""
    for step in way.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


class Invariants:
    """Takes the views of one audience event by event, from the first on."""

    def __init__(self, audience: str) -> None:
        self.audience = audience
        self.is_sealed = self.is_fork = False
        self.rounds: dict[int, int | None] = {0: 0}
        self.added: dict[str, tuple[str, int]] = {}
        self.unsure: set[str] = set()
        self.seats: dict[str, tuple[Tree, int]] = {}
        self.damage: dict[tuple[str, str], Tree] = {}

    def first(self, view: Tree) -> str | None:
        """The path of the first thing that does not hold, within the view."""
        wrong = list(self.wrong(view))
        return wrong[0] if wrong else None

    def wrong(self, view: Tree) -> Found:
        """Everything that does not hold."""
        yield from self.wrong_seat(view)
        yield from self.wrong_override(view)
        number = self.rounds.get(view["base"])
        is_due = at(view, "action.type") == "adjust"
        for place, effect in enumerate(view["effects"]):
            path = f".effects[{place}]"
            match effect["type"]:
                case "encounter_created":
                    self.is_sealed = effect["dice"]["mode"] == "sealed"
                    self.is_fork = "fork_of" in effect
                    if self.is_fork or effect.get("prepared"):
                        number = at(effect, "state.round")
                case "round_began":
                    if number is not None and effect["round"] != number + 1:
                        yield f"{path}.round"
                    number = effect["round"]
                case "adjusted":
                    if not is_due:
                        yield path
                    is_due = False
                case "moved":
                    yield from self.wrong_end(effect, path)
                case _:
                    pass
            action = view.get("action", {})
            yield from self.missing_roll(action, effect, path)
            yield from self.wrong_damage(view, effect, path)
            yield from self.wrong_item(action, effect, path)
            yield from self.wrong_rollers(view, effect, path)
            self.learn(effect, view["seq"])
        self.rounds[view["seq"]] = number

    def wrong_end(self, moved: Tree, path: str) -> Found:
        """A walk ends at the last place of its path."""
        for last in moved.get("path", [])[-1:]:
            for axis in ("x", "y"):
                if moved["end"].get(axis) != last.get(axis):
                    yield f"{path}.end.{axis}"

    def wrong_override(self, view: Tree) -> Found:
        """An override has its effect."""
        is_due = at(view, "action.type") == "adjust"
        is_told = any(each["type"] == "adjusted" for each in view["effects"])
        if is_due and not is_told and self.audience in ("everyone", "gm"):
            yield ".action"

    def missing_roll(self, action: Tree, effect: Tree, path: str) -> Found:
        """An attack of sealed dice has a roll."""
        detail = effect.get("detail", {})
        if effect["type"] == "attack_resolved" and self.is_sealed and "attacker" in detail:
            is_own = not self.is_fork or detail["attacker"] == action.get("combatant")
            words = (effect["outcome"], detail.get("mode"), detail.get("rule"), effect.get("rule"))
            if is_own and "roll" not in detail and not {*words} & {*NOT_ROLLED}:
                yield f"{path}.detail.roll"

    def wrong_item(self, action: Tree, effect: Tree, path: str) -> Found:
        """An attack has the weapon that was asked for."""
        if effect["type"] not in ("attack_resolved", "area_resolved", "hurt"):
            return
        item = action.get("weapon", action.get("grenade"))
        for where, who in (("detail", "attacker"), ("source", "combatant")):
            holder = effect.get(where, {})
            is_asked = item is not None and holder.get(who, "") == action.get("combatant")
            if is_asked and holder.get("item", item) != item:
                yield f"{path}.{where}.item"

    def wrong_rollers(self, view: Tree, effect: Tree, path: str) -> Found:
        """A roll has the draws of the one who rolls."""
        drawers = {(d["stream"], d["number"]): d.get("combatant") for d in view["draws"]}
        for way, whose, within in ROLLERS.get(effect["type"], []):
            held = [(path, effect)]
            if within:
                listed = enumerate(effect.get(within, []))
                held = [(f"{path}.{within}[{n}]", each) for n, each in listed]
            for where, holder in held:
                who, runs = at(holder, whose), at(holder, f"{way}.draws") or []
                own = {
                    drawers.get((run["stream"], run["number"] + nth))
                    for run in runs
                    if "seq" not in run
                    for nth in range(run.get("count", len(at(holder, way)["faces"])))
                }
                if who is not None and own - {None, who}:
                    yield f"{where}.{way}.draws"

    def wrong_damage(self, view: Tree, effect: Tree, path: str) -> Found:
        """Damage has the dice of the weapon, or twice as many behind a critical attack."""
        if effect["type"] != "hurt" or at(effect, "source.roll") is None:
            return
        source = effect["source"]
        damage = self.damage.get((source.get("combatant", ""), source.get("item", "")))
        count = len(source["roll"]["faces"])
        if damage is None or damage["sides"] != source["roll"]["sides"]:
            return
        attacks = [each for each in view["effects"] if each["type"] == "attack_resolved"]
        is_critical = any(each["outcome"] == "critical" for each in attacks)
        if count != damage["count"] and not (is_critical and count == 2 * damage["count"]):
            yield f"{path}.source.roll.faces"

    def wrong_seat(self, view: Tree) -> Found:
        """A seat acts in its role, and a player for those of the seat."""
        by, action = view["by"], view.get("action", {})
        if view["seq"] == 1 or "seat" not in by:
            return
        seat, since = self.seats.get(by["seat"], ({}, 0))
        if seat.get("role") != by["role"]:
            yield ".by.seat"
        elif by["role"] == "player":
            actors = [(".action.combatant", action.get("combatant"))]
            listed = enumerate(action.get("combatants", []))
            actors += [(f".action.combatants[{n}]", each) for n, each in listed]
            for path, who in actors:
                side, added = self.added.get(who, ("", since + 1))
                is_theirs = who in seat["combatants"] or side in seat["sides"]
                if added <= since and not is_theirs:
                    yield path

    def learn(self, effect: Tree, seq: int) -> None:
        """Who was there for all to see when a seat was told for whom it acts."""
        who = effect.get("combatant")
        match effect["type"]:
            case "combatant_added":
                self.add(effect["combatant"], seq)
            case "encounter_created":
                for each in at(effect, "state.combatants") or []:
                    self.add(each, seq)
            case "revealed" | "hidden":
                name = str(who["id"] if isinstance(who, dict) else who)
                self.added.pop(name, None)
                self.unsure.add(name)
                self.damage = {key: each for key, each in self.damage.items() if key[0] != name}
                if isinstance(who, dict):
                    self.arm(who)
            case "seat_changed" if effect.get("removed"):
                self.seats.pop(effect["seat"]["id"], None)
            case "seat_changed":
                self.seats[effect["seat"]["id"]] = (effect["seat"], seq)
            case "control_changed" if effect["seat"] in self.seats:
                told = {"combatants": effect["combatants"], "sides": effect["sides"]}
                seat, _ = self.seats[effect["seat"]]
                self.seats[effect["seat"]] = ({**seat, **told}, seq)
            case _:
                pass

    def add(self, combatant: Tree, seq: int) -> None:
        """Somebody is there from now on, unless it was ever hidden."""
        self.arm(combatant)
        if combatant["id"] not in self.unsure and not combatant.get("hidden"):
            self.added[combatant["id"]] = (combatant["side"], seq)

    def arm(self, combatant: Tree) -> None:
        """The dice of damage of each weapon and area that a sheet states."""
        items = [*combatant.get("weapons", []), *combatant.get("areas", [])]
        for item in (each for each in items if isinstance(each, dict)):
            damage = item.get("damage")
            if "damage_dice" in item:
                damage = {"count": item["damage_dice"], "sides": 6}
            if isinstance(damage, dict) and {"count", "sides"} <= damage.keys():
                self.damage[(combatant["id"], item["id"])] = damage
