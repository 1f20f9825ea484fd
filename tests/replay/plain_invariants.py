"""The table of invariants as `/docs/specification` has it: a second reading of the page."""

from collections.abc import Iterator
from json import dumps
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

WITH: Final = {
    "contributed": {"contribute": "value"},
    "control_changed": {"assign_control": "seat sides combatants"},
    "encounter_created": {
        "create_encounter": "ruleset version dice.mode=dice commitment seed options map content"
        " reveal_by_days fork_of"
    },
    "encounter_ended": {"end_encounter": "winner opened=open"},
    "encounter_started": {"start_encounter": ""},
    "erased": {"erase": ""},
    "noted": {"note": ""},
    "parts_opened": {"reveal": "opened=open"},
    "rewound": {"rewind": "to"},
    "seat_changed": {
        "create_encounter": "",
        "add_seat": "seat.id seat.role seat.sides seat.combatants",
        "change_seat": "seat.id=seat",
        "remove_seat": "seat.id=seat",
    },
    "seed_revealed": {"end_encounter": "opened=open", "reveal": "opened=open"},
}
"""Effects with the actions that they come with, and which fields are those of the action."""


def at(value: Any, way: str) -> Any:
    """What is found on a way with dots, None if nothing is."""
    for step in way.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def record(value: Any) -> Tree:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """An array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def ids_of(value: Any) -> list[Any]:
    """The ids of the elements of an array."""
    return [at(each, "id") for each in listed(value)]


def wrong_sides(action: Tree, effect: Tree, path: str) -> Found:
    """A battle has the sides that were asked for."""
    if dumps(ids_of(effect.get("sides"))) != dumps(ids_of(action.get("sides"))):
        yield f"{path}.sides"


def is_now(view: Tree) -> bool:
    """Whether the seed is to be revealed with the end."""
    action = record(view.get("action"))
    return [action.get("type"), action.get("reveal")] == ["end_encounter", "now"]


def is_early(view: Tree, kind: str) -> bool:
    """Whether the seed is revealed with an end that was to keep it."""
    is_end = at(view, "action.type") == "end_encounter"
    return kind == "seed_revealed" and is_end and not is_now(view)


def asked_ids(view: Tree) -> list[Any] | None:
    """The ids of those who are to come in, if the action shows them."""
    action = record(view.get("action"))
    match action.get("type"):
        case "create_encounter":
            return ids_of(action.get("combatants"))
        case "add_combatant" if "combatant" in action:
            return [at(action, "combatant.id")]
        case _:
            return None


def is_by_action(effect: Tree) -> bool:
    """Whether it comes with an action alone; a battle may end by the rules, too."""
    return effect.get("type") != "encounter_ended" or effect.get("cause", "gm") == "gm"


def is_number(value: Any) -> bool:
    """Whether a value is a whole number."""
    return type(value) is int


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
        self.options: dict[str, list[Any]] = {}

    def first(self, view: Tree) -> str | None:
        """The path of the first thing that does not hold, within the view."""
        wrong = list(self.wrong(view))
        return wrong[0] if wrong else None

    def wrong(self, view: Tree) -> Found:
        """Everything that does not hold."""
        if self.audience == "everyone":
            yield from self.wrong_asker(view["by"])
        yield from self.wrong_seat(view)
        yield from self.wrong_override(view)
        yield from self.missing_effect(view)
        yield from self.wrong_answer(view)
        number = self.rounds.get(view["base"])
        is_due = at(view, "action.type") == "adjust"
        for place, effect in enumerate(map(record, view["effects"])):
            path = f".effects[{place}]"
            yield from self.wrong_repetition(view, effect, view["effects"][:place], path)
            yield from self.wrong_addition(view, effect, view["effects"][:place], path)
            yield from self.wrong_choice(view, effect, path)
            match effect.get("type"):
                case "encounter_created":
                    self.is_sealed = at(effect, "dice.mode") == "sealed"
                    self.is_fork = "fork_of" in effect
                    if self.is_fork or effect.get("prepared") is True:
                        number = at(effect, "state.round")
                case "round_began":
                    if isinstance(number, int) and effect.get("round") != number + 1:
                        yield f"{path}.round"
                    number = effect.get("round")
                case "adjusted":
                    if not is_due:
                        yield path
                    is_due = False
                case "moved":
                    yield from self.wrong_end(effect, path)
                case _:
                    pass
            action = record(view.get("action"))
            yield from self.missing_roll(action, effect, path)
            yield from self.wrong_damage(view, effect, path)
            yield from self.wrong_item(action, effect, path)
            yield from self.wrong_target(action, effect, path)
            yield from self.wrong_rollers(view, effect, path)
            self.learn(effect, view["seq"])
            self.learn_options(effect)
        self.rounds[view["seq"]] = number

    def wrong_asker(self, by: Tree) -> Found:
        """A seat asks under its own id, and whoever has none as the game master."""
        is_seat = by["kind"] == "seat"
        if by.get("seat") != (by["id"] if is_seat else None):
            yield ".by.seat"
        if by["role"] == "observer" or (by["role"] != "gm" and not is_seat):
            yield ".by.role"
        if "via" in by and not is_seat:
            yield ".by.via"

    def missing_effect(self, view: Tree) -> Found:
        """An action has its effect."""
        asked = at(view, "action.type")
        due = [kind for kind, actions in WITH.items() if asked in actions]
        if asked == "create_encounter":
            due = ["encounter_created"]
        if asked == "end_encounter":
            due = ["encounter_ended"]
        kinds = [at(each, "type") for each in view["effects"]]
        is_left_out = is_now(view) and "seed_revealed" not in kinds
        is_fewer = kinds.count("combatant_added") < len(asked_ids(view) or [])
        if (due and not any(kind in due for kind in kinds)) or is_left_out or is_fewer:
            yield ".action"

    def wrong_answer(self, view: Tree) -> Found:
        """An answer closes its own decision."""
        named = at(view, "action.decision_id")
        closed = [
            each["decision_id"]
            for each in map(record, view["effects"])
            if each.get("type") == "decision_closed" and "decision_id" in each
        ]
        is_answer = at(view, "action.type") in ("answer", "force_pass")
        if is_answer and named is not None and closed and dumps(named) not in map(dumps, closed):
            yield ".action.decision_id"

    def wrong_addition(self, view: Tree, effect: Tree, before: list[Any], path: str) -> Found:
        """Who comes in is who was asked for."""
        ids = asked_ids(view)
        if effect.get("type") == "combatant_added" and ids is not None:
            nth = [at(each, "type") for each in before].count("combatant_added")
            due = ids[nth] if nth < len(ids) else None
            if dumps(at(effect, "combatant.id")) != dumps(due):
                yield f"{path}.combatant.id"

    def wrong_choice(self, view: Tree, effect: Tree, path: str) -> Found:
        """What a decision is closed with was chosen, and could be."""
        if effect.get("type") != "decision_closed" or "choice" not in effect:
            return
        name, chosen = effect.get("decision_id"), at(view, "action.choice.type")
        kind = at(view, "action.type")
        if kind == "force_pass":
            chosen = "pass"
        is_own = name is not None and dumps(name) == dumps(at(view, "action.decision_id"))
        is_told = kind in ("answer", "force_pass") and is_own and chosen is not None
        if is_told and dumps(effect["choice"]) != dumps(chosen):
            yield f"{path}.choice"
        options = self.options.get(name) if isinstance(name, str) else None
        is_free = options is not None and effect.get("how") != "forced"
        if is_free and dumps(effect["choice"]) not in map(dumps, listed(options)):
            yield f"{path}.choice"

    def wrong_repetition(self, view: Tree, effect: Tree, before: list[Any], path: str) -> Found:
        """An effect is what its action asks for, and comes with no other."""
        kind = str(effect.get("type"))
        if kind not in WITH or not is_by_action(effect):
            return
        action, by = record(view.get("action")), view["by"]
        others = [each for each in before if at(each, "type") == kind and is_by_action(each)]
        is_repeated = bool(others) and kind != "seat_changed"
        if action.get("type") not in WITH[kind] or is_early(view, kind) or is_repeated:
            yield path
            return
        due = {}
        for row in WITH[kind][action["type"]].split():
            given, _, asked = row.partition("=")
            due[given] = at(action, asked or given)
        match kind:
            case "contributed":
                due["seat"] = by.get("seat", by["id"])
            case "encounter_created":
                yield from wrong_sides(action, effect, path)
                due["creator"] = by
            case "seat_changed":
                due |= self.due_of_seat(action, effect, len(others))
            case "erased":
                seqs = action.get("seqs")
                is_numbers = isinstance(seqs, list) and all(map(is_number, seqs))
                due["seqs"] = sorted(set(listed(seqs))) if is_numbers else seqs
            case _:
                pass
        for given, value in due.items():
            if dumps(at(effect, given), sort_keys=True) != dumps(value, sort_keys=True):
                yield f"{path}.{given}"

    def due_of_seat(self, action: Tree, effect: Tree, nth: int) -> Tree:
        """What else a seat must be, by the way to it."""
        due = {}
        if action["type"] == "create_encounter":
            asked = record([*listed(action.get("seats")), *[None] * (nth + 1)][nth])
            due = {name: asked.get(name) for name in ("id", "role", "sides")}
        if action["type"] == "change_seat":
            name: Any = at(effect, "seat.id")
            told, _ = self.seats.get(name, ({}, 0)) if isinstance(name, str) else ({}, 0)
            last = {"role": told["role"], "sides": listed(told.get("sides"))} if told else {}
            asked = {**last, **action}
            due = {name: asked[name] for name in ("role", "sides", "combatants") if name in asked}
        is_gone = True if action["type"] == "remove_seat" else None
        return {**{f"seat.{name}": value for name, value in due.items()}, "removed": is_gone}

    def wrong_target(self, action: Tree, effect: Tree, path: str) -> Found:
        """The one who acts attacks the target of the action, the one who is to move moves."""
        if effect.get("type") == "attack_resolved":
            attacker, rule = at(effect, "detail.attacker"), effect.get("rule")
            is_own = attacker is not None and attacker == action.get("combatant")
            pair = [effect.get("target"), action.get("target")]
            is_told = is_own and None not in pair and rule != "CF-ALLY-3"
            if is_told and pair[0] != pair[1]:
                yield f"{path}.target"
        elif effect.get("type") == "moved" and action.get("type") == "move":
            pair = [effect.get("combatant"), action.get("combatant")]
            if None not in pair and pair[0] != pair[1] and effect.get("cause") != "panic":
                yield f"{path}.combatant"

    def wrong_end(self, moved: Tree, path: str) -> Found:
        """A walk ends at the last place of its path."""
        for last in listed(moved.get("path"))[-1:]:
            for axis in ("x", "y"):
                if at(moved, f"end.{axis}") != at(last, axis):
                    yield f"{path}.end.{axis}"

    def wrong_override(self, view: Tree) -> Found:
        """An override has its effect."""
        is_due = at(view, "action.type") == "adjust"
        is_told = any(at(each, "type") == "adjusted" for each in view["effects"])
        if is_due and not is_told and self.audience in ("everyone", "gm"):
            yield ".action"

    def missing_roll(self, action: Tree, effect: Tree, path: str) -> Found:
        """An attack of sealed dice has a roll."""
        detail = record(effect.get("detail"))
        is_told = "outcome" in effect and "attacker" in detail
        if effect.get("type") == "attack_resolved" and self.is_sealed and is_told:
            is_own = not self.is_fork or detail["attacker"] == action.get("combatant")
            words = [effect.get("outcome"), *map(detail.get, ("mode", "rule")), effect.get("rule")]
            if is_own and "roll" not in detail and not any(each in NOT_ROLLED for each in words):
                yield f"{path}.detail.roll"

    def wrong_item(self, action: Tree, effect: Tree, path: str) -> Found:
        """An attack has the weapon that was asked for."""
        if effect.get("type") not in ("attack_resolved", "area_resolved", "hurt"):
            return
        item = action.get("weapon", action.get("grenade"))
        for where, who in (("detail", "attacker"), ("source", "combatant")):
            holder = record(effect.get(where))
            is_asked = item is not None and holder.get(who, "") == action.get("combatant")
            if is_asked and holder.get("item", item) != item:
                yield f"{path}.{where}.item"

    def wrong_rollers(self, view: Tree, effect: Tree, path: str) -> Found:
        """A roll has the draws of the one who rolls."""
        drawers = {(d["stream"], d["number"]): d.get("combatant") for d in view["draws"]}
        for way, whose, within in ROLLERS.get(str(effect.get("type")), []):
            held = [(path, effect)]
            if within:
                inner = enumerate(listed(effect.get(within)))
                held = [(f"{path}.{within}[{n}]", each) for n, each in inner]
            for where, holder in held:
                who, roll = at(holder, whose), record(at(holder, way))
                own = [
                    drawers.get((run["stream"], run["number"] + nth))
                    for run in listed(roll.get("draws"))
                    if "seq" not in run
                    for nth in range(run.get("count", len(listed(roll.get("faces")))))
                ]
                if who is not None and any(each not in (None, who) for each in own):
                    yield f"{where}.{way}.draws"

    def wrong_damage(self, view: Tree, effect: Tree, path: str) -> Found:
        """Damage has the dice of the weapon, or twice as many behind a critical attack."""
        source = record(effect.get("source"))
        roll = record(source.get("roll"))
        if effect.get("type") != "hurt" or not isinstance(roll.get("faces"), list):
            return
        damage = self.damage.get((str(source.get("combatant")), str(source.get("item"))))
        count = len(roll["faces"])
        if damage is None or damage["sides"] != roll.get("sides"):
            return
        attacks = [each for each in view["effects"] if at(each, "type") == "attack_resolved"]
        is_critical = any(at(each, "outcome") == "critical" for each in attacks)
        if count != damage["count"] and not (is_critical and count == 2 * damage["count"]):
            yield f"{path}.source.roll.faces"

    def wrong_seat(self, view: Tree) -> Found:
        """A seat acts in its role, and a player for those of the seat."""
        by, action = view["by"], record(view.get("action"))
        if view["seq"] == 1 or "seat" not in by:
            return
        seat, since = self.seats.get(by["seat"], ({}, 0))
        if seat.get("role") != by["role"]:
            yield ".by.seat"
        elif by["role"] == "player":
            actors = [(".action.combatant", action.get("combatant"))]
            named = enumerate(listed(action.get("combatants")))
            actors += [(f".action.combatants[{n}]", each) for n, each in named]
            for path, who in actors:
                side, added = self.added.get(str(who), ("", since + 1))
                names, sides = listed(seat.get("combatants")), listed(seat.get("sides"))
                is_theirs = not isinstance(who, str) or who in names or side in sides
                if added <= since and not is_theirs:
                    yield path

    def learn(self, effect: Tree, seq: int) -> None:
        """Who was there for all to see when a seat was told for whom it acts."""
        who: Any = effect.get("combatant")
        seat: Any = effect.get("seat")
        match effect.get("type"):
            case "combatant_added":
                self.add(record(who), seq)
            case "encounter_created":
                for each in listed(at(effect, "state.combatants")):
                    self.add(record(each), seq)
            case "revealed" | "hidden":
                name = str(at(who, "id") if isinstance(who, dict) else who)
                self.added.pop(name, None)
                self.unsure.add(name)
                self.damage = {key: each for key, each in self.damage.items() if key[0] != name}
                self.arm(record(who))
            case "seat_changed" if isinstance(at(seat, "id"), str):
                self.seats.pop(seat["id"], None)
                if not effect.get("removed"):
                    self.seats[seat["id"]] = (seat, seq)
            case "control_changed" if isinstance(seat, str) and seat in self.seats:
                told = {name: effect.get(name) for name in ("combatants", "sides")}
                self.seats[seat] = ({**self.seats[seat][0], **told}, seq)
            case _:
                pass

    def learn_options(self, effect: Tree) -> None:
        """What may be chosen."""
        if effect.get("type") == "decision_opened":
            self.ask(record(effect.get("decision")))
        if effect.get("type") == "rewound":
            for each in map(record, listed(effect.get("decisions"))):
                was: Any = each.get("was")
                if isinstance(was, str) and was in self.options:
                    self.ask({**each, "options": self.options[was]})

    def ask(self, decision: Tree) -> None:
        """A decision offers these choices."""
        if isinstance(decision.get("id"), str) and isinstance(decision.get("options"), list):
            self.options[decision["id"]] = decision["options"]

    def add(self, combatant: Tree, seq: int) -> None:
        """Somebody is there from now on, unless it was ever hidden."""
        self.arm(combatant)
        name: Any = combatant.get("id")
        side: Any = combatant.get("side")
        is_known = isinstance(name, str) and isinstance(side, str)
        if is_known and name not in self.unsure and combatant.get("hidden", False) is False:
            self.added[name] = (side, seq)

    def arm(self, combatant: Tree) -> None:
        """The dice of damage of each weapon and area that a sheet states."""
        items = [*listed(combatant.get("weapons")), *listed(combatant.get("areas"))]
        for item in map(record, items):
            damage = record(item.get("damage"))
            if "damage_dice" in item:
                damage = {"count": item["damage_dice"], "sides": 6}
            is_known = is_number(damage.get("count")) and is_number(damage.get("sides"))
            if (
                is_known
                and isinstance(combatant.get("id"), str)
                and isinstance(item.get("id"), str)
            ):
                self.damage[(combatant["id"], item["id"])] = damage
