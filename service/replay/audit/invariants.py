"""The table of invariants: what holds of every view of a log, whatever its ruleset.

How this works. Where parts are withheld the rules cannot be run. But effects must not contradict
one another, event 1 and the action that was asked for. Each audience has a table of its own, from
event 1 on. A row that lacks what it compares says nothing. What rewinds is kept by seq (the
round); seats never rewind, and of combatants only those that were never hidden are judged.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import UNSET

from service.engine.ruleset.shown_sheets import Tree
from service.engine.visibility.audience import EVERYONE_WORD
from service.replay.audit.asked_effects import (
    REPEATING,
    Found,
    is_asked,
    missing_effect,
    wrong_addition,
    wrong_answer,
    wrong_asker,
    wrong_choice,
    wrong_mover,
    wrong_repetition,
    wrong_target,
)
from service.replay.report.differences import Difference, difference

_Effects = list[tuple[int, str, Tree]]
"""Effects with their places and types."""

_NOT_ROLLED: Final = frozenset({"obstructed", "wasted", "counter", "CF-ALLY-3", "CF-HELP-1"})
"""The outcome, mode or rule of attacks without a roll."""

_JUDGED: Final = frozenset(
    {"area_resolved", "attack_resolved", "check_resolved", "hurt", "moved", "rolled"}
)
_LEARNED: Final = frozenset(
    {
        "combatant_added",
        "control_changed",
        "encounter_created",
        "hidden",
        "revealed",
        "rewound",
        "seat_changed",
    }
)
_WITH_ITEM: Final = frozenset({"area_resolved", "attack_resolved", "hurt"})
_ASKED: Final = REPEATING | {"combatant_added"}
_DECISIONS: Final = frozenset({"decision_closed", "decision_opened"})
_NOTABLE: Final = _JUDGED | _LEARNED | _ASKED | _DECISIONS | {"adjusted", "round_began"}
"""Types of effects that a row is about, or from which one learns."""


class _Roller(NamedTuple):
    """Where a roll of an effect is, and where the one who rolls; `within` is a list, if any."""

    roll: tuple[str, ...]
    who: tuple[str, ...]
    within: str = ""


def _roller(roll: str, who: str, within: str = "") -> _Roller:
    """The same, from ways with dots."""
    return _Roller(tuple(roll.split(".")), tuple(who.split(".")), within)


_ROLLERS: Final[Mapping[str, tuple[_Roller, ...]]] = {
    "attack_resolved": (
        _roller("detail.roll", "detail.attacker"),
        _roller("detail.scatter", "detail.attacker"),
        _roller("detail.saves.roll", "detail.saves.target"),
        _roller("detail.against.roll", "detail.against.target"),
        _roller("detail.miss_chance", "target"),
        _roller("guess.miss_chance", "detail.attacker"),
        _roller("answered.roll", "answered.combatant"),
    ),
    "area_resolved": (
        _roller("detail.roll", "detail.attacker"),
        _roller("roll", "target", "victims"),
        _roller("answered.roll", "answered.combatant", "victims"),
    ),
    "check_resolved": (
        _roller("roll", "combatant"),
        _roller("reroll.roll", "combatant"),
        _roller("opposed.roll", "opposed.combatant"),
    ),
    "hurt": (_roller("source.roll", "source.combatant"),),
    "rolled": (_roller("roll", "combatant"),),
}


class _Seat(NamedTuple):
    """For whom a seat acts, as was stated in event `since`."""

    role: object
    sides: list[object]
    combatants: list[object]
    since: int


class _Damage(NamedTuple):
    """The dice of damage of a weapon."""

    dice: int
    sides: int


class Invariants:
    """Takes the views of one audience event by event; `root` is what paths into them begin with."""

    def __init__(self, audience: str, root: str) -> None:
        self._is_of_everyone = audience == EVERYONE_WORD
        self._root = root
        self._has_begun = False
        self._is_sealed = False
        self._is_fork = False
        self._rounds: dict[int, int] = {}
        self._seats: dict[object, _Seat] = {}
        self._added: dict[object, tuple[object, int]] = {}
        self._unsure: set[object] = set()
        self._damage: dict[tuple[object, object], _Damage] = {}
        self._options: dict[str, list[object]] = {}

    def fold(self, view: object, base: int, seq: int) -> Difference | None:
        """Take in event `seq`; the first thing that does not hold."""
        self._has_begun |= seq == 1
        tree = _tree(view)
        effects = _notable(tree.get("effects"))
        action = _tree(tree.get("action"))
        wrong = [
            *self._wrong_seat(tree, seq),
            *self._wrong_override(tree, effects),
            *missing_effect(action, effects, self._root),
        ]
        if "decision_id" in action:
            wrong += wrong_answer(action, action["decision_id"], effects, self._root)
        if seq == 1:
            self._open(effects)
        number = self._rounds.get(0 if seq == 1 else base)
        if effects:
            number = self._fold_effects(tree, effects, number, seq, wrong)
        if number is not None:
            self._rounds[seq] = number
        return wrong[0] if wrong else None

    def _fold_effects(
        self, tree: Tree, effects: _Effects, number: int | None, seq: int, wrong: list[Difference]
    ) -> int | None:
        """Take in effects; the number of the round behind them. Differences go to `wrong`."""
        is_due = _at(tree, "action", "type") == "adjust"
        owners = _owners(tree)
        before: dict[str, int] = {}
        for place, kind, effect in effects:
            path = f"{self._root}.effects[{place}]"
            if kind in _ASKED:
                wrong += self._wrong_asked(tree, kind, effect, before, path)
            if kind == "round_began":
                told = effect.get("round")
                if number is not None and (type(told) is not int or told != number + 1):
                    wrong.append(difference(f"{path}.round", told, number + 1))
                number = told if type(told) is int else None
            elif kind == "adjusted":
                if not is_due:
                    wrong.append(difference(path, effect, UNSET))
                is_due = False
            elif kind in _JUDGED:
                wrong += self._wrong_effect(tree, effects, owners, kind, effect, path)
            elif kind in _DECISIONS:
                wrong += self._wrong_decision(tree, kind, effect, path)
            else:
                self._learn(effect, seq)
        return number

    def _wrong_asked(
        self, tree: Tree, kind: str, effect: Tree, before: dict[str, int], path: str
    ) -> Found:
        """An effect is what the action asks for; `before` counts the types of those before it."""
        action = _tree(tree.get("action"))
        match kind:
            case "combatant_added":
                yield from wrong_addition(action, effect, before.get(kind, 0), path)
            case _:
                last = self._last_of(effect) if kind == "seat_changed" else {}
                yield from wrong_repetition(tree, kind, effect, before, last, path)
        if is_asked(kind, effect):
            before[kind] = before.get(kind, 0) + 1

    def _open(self, effects: _Effects) -> None:
        """What event 1 settles; a fork or a prepared battle begins in a round of its own."""
        for _, kind, effect in effects:
            if kind == "encounter_created":
                self._is_sealed = _at(effect, "dice", "mode") == "sealed"
                self._is_fork = "fork_of" in effect
                taken = _at(effect, "state", "round")
                if not self._is_fork and effect.get("prepared") is not True:
                    self._rounds[0] = 0
                elif type(taken) is int:
                    self._rounds[0] = taken

    def _wrong_effect(
        self,
        tree: Tree,
        effects: _Effects,
        owners: frozenset[str],
        kind: str,
        effect: Tree,
        path: str,
    ) -> Found:
        action = _tree(tree.get("action"))
        match kind:
            case "moved":
                yield from _wrong_end(effect, path)
                yield from wrong_mover(action, effect, path)
            case "attack_resolved":
                yield from self._missing_roll(action, effect, path)
            case "hurt":
                yield from self._wrong_damage(effects, effect, path)
            case _:
                pass
        if kind in _WITH_ITEM:
            yield from _wrong_item(action, effect, path)
        if kind == "attack_resolved":
            yield from wrong_target(action, effect, path)
        if owners and kind in _ROLLERS:
            draws = _list(tree.get("draws"))
            yield from _wrong_rollers(draws, owners, _ROLLERS[kind], effect, path)

    # --- rows -----------------------------------------------------------------------------------

    def _wrong_seat(self, tree: Tree, seq: int) -> Found:
        """A seat acts in its role, and a player for the combatants of the seat."""
        by, action = _tree(tree.get("by")), _tree(tree.get("action"))
        if self._is_of_everyone:
            wrong = wrong_asker(tree.get("by"))
            yield from () if wrong is None else (wrong,)
        if not self._has_begun or seq == 1 or "seat" not in by:
            return
        name = by["seat"]
        seat = self._seats.get(name) if isinstance(name, str) else None
        if seat is None or seat.role != by.get("role"):
            yield difference(f"{self._root}.by.seat", name, UNSET)
            return
        if seat.role != "player":
            return
        actors = [("combatant", action.get("combatant"))]
        listed = _list(action.get("combatants"))
        actors += [(f"combatants[{at}]", each) for at, each in enumerate(listed)]
        for place, who in actors:
            side, since = self._added.get(who, (None, seq)) if isinstance(who, str) else (None, seq)
            if since <= seat.since and who not in seat.combatants and side not in seat.sides:
                yield difference(f"{self._root}.action.{place}", who, UNSET)

    def _wrong_override(self, tree: Tree, effects: _Effects) -> Found:
        """An override has its effect; a side may see the action alone."""
        is_due = _at(tree, "action", "type") == "adjust"
        is_missing = is_due and not any(kind == "adjusted" for _, kind, _ in effects)
        if is_missing and self._is_of_everyone:
            yield difference(f"{self._root}.action", tree.get("action"), UNSET)

    def _missing_roll(self, action: Tree, effect: Tree, path: str) -> Found:
        """An attack of sealed dice whose attacker is told has a roll.

        In a fork only one that was declared there: of others the dice may be those of a side.
        """
        detail = _tree(effect.get("detail"))
        attacker = detail.get("attacker")
        if not self._is_sealed or attacker is None or "roll" in detail or "outcome" not in effect:
            return
        words = (effect["outcome"], effect.get("rule"), detail.get("mode"), detail.get("rule"))
        is_own = not self._is_fork or attacker == action.get("combatant")
        if is_own and not any(isinstance(each, str) and each in _NOT_ROLLED for each in words):
            yield difference(f"{path}.detail.roll", UNSET, UNSET)

    def _wrong_damage(self, effects: _Effects, effect: Tree, path: str) -> Found:
        """Damage has the dice of its weapon, or twice as many next to a critical attack."""
        source = _tree(effect.get("source"))
        roll = _tree(source.get("roll"))
        who, item = source.get("combatant"), source.get("item")
        if not isinstance(who, str) or not isinstance(item, str):
            return
        due = self._damage.get((who, item))
        if due is None or roll.get("sides") != due.sides:
            return
        is_critical = any(
            kind == "attack_resolved" and each.get("outcome") == "critical"
            for _, kind, each in effects
        )
        count = len(_list(roll.get("faces")))
        if count != due.dice and not (is_critical and count == 2 * due.dice):
            yield difference(f"{path}.source.roll.faces", roll.get("faces"), UNSET)

    # --- what rows compare with -----------------------------------------------------------------

    def _learn(self, effect: Tree, seq: int) -> None:
        who = effect.get("combatant")
        match effect:
            case {"type": "combatant_added", "combatant": dict() as stated}:
                self._add(stated, seq)
            case {"type": "encounter_created"}:
                for each in _list(_at(effect, "state", "combatants")):
                    self._add(_tree(each), seq)
            case {"type": "revealed" | "hidden"}:
                self._doubt(_tree(who).get("id") if isinstance(who, dict) else who)
                self._arm(_tree(who))
            case {"type": "seat_changed", "seat": {"id": str(name), "role": role}}:
                self._seats[name] = _seat(_tree(effect["seat"]), role, seq)
                if effect.get("removed") is True:
                    del self._seats[name]
            case {"type": "rewound"}:
                self._ask_again(effect)
            case {"type": "control_changed", "seat": str(name)} if name in self._seats:
                self._seats[name] = _seat(effect, self._seats[name].role, seq)
            case _:
                pass

    def _last_of(self, effect: Tree) -> Tree:
        """Role and sides of the seat of an effect, as they were shown last."""
        name = _at(effect, "seat", "id")
        seat = self._seats.get(name) if isinstance(name, str) else None
        return {} if seat is None else {"role": seat.role, "sides": seat.sides}

    def _wrong_decision(self, tree: Tree, kind: str, effect: Tree, path: str) -> Found:
        """A decision is closed with a choice that was made, and that it offered."""
        if kind == "decision_opened":
            self._ask(_tree(effect.get("decision")))
        elif "choice" in effect:
            options = self._options_of(effect.get("decision_id"))
            yield from wrong_choice(_tree(tree.get("action")), effect, options, path)

    def _ask(self, decision: Tree) -> None:
        """Take down which choices a decision offers."""
        match decision:
            case {"id": str(name), "options": list(options)}:
                self._options[name] = options
            case _:
                pass

    def _ask_again(self, rewound: Tree) -> None:
        """Decisions that a rewind opens again have other ids."""
        for each in map(_tree, _list(rewound.get("decisions"))):
            options = self._options_of(each.get("was"))
            if options is not None:
                self._ask({**each, "options": options})

    def _options_of(self, decision: object) -> list[object] | None:
        """Which choices a decision offers, as far as that was shown."""
        return self._options.get(decision) if isinstance(decision, str) else None

    def _add(self, combatant: Tree, seq: int) -> None:
        """A combatant is there for this audience from now on."""
        name = combatant.get("id")
        is_shown = combatant.get("hidden", False) is False
        if isinstance(name, str) and name not in self._unsure and is_shown:
            self._added[name] = (combatant.get("side"), seq)
        self._arm(combatant)

    def _doubt(self, name: object) -> None:
        """A combatant that is or was hidden: nobody sees who controls it meanwhile."""
        if isinstance(name, str):
            self._added.pop(name, None)
            self._unsure.add(name)
            self._damage = {key: each for key, each in self._damage.items() if key[0] != name}

    def _arm(self, combatant: Tree) -> None:
        """The dice of damage of each weapon and area that a sheet states."""
        name = combatant.get("id")
        for each in (*_list(combatant.get("weapons")), *_list(combatant.get("areas"))):
            item = _tree(each)
            damage = _tree(item.get("damage"))
            count, sides = damage.get("count"), damage.get("sides")
            if "damage_dice" in item:
                count, sides = item["damage_dice"], 6
            if isinstance(name, str) and type(count) is int and type(sides) is int:
                key = item.get("id")
                if isinstance(key, str):
                    self._damage[(name, key)] = _Damage(count, sides)


def _notable(effects: object) -> _Effects:
    """Those of the effects of a view that a row is about, each with its place and type."""
    return [
        (place, kind, effect)
        for place, effect in enumerate(_list(effects))
        if isinstance(effect, dict)
        and isinstance(kind := effect.get("type"), str)
        and kind in _NOTABLE
    ]


def _wrong_end(moved: Tree, path: str) -> Found:
    """A walk ends at the last place of its path; heights may differ."""
    visible = _list(moved.get("path"))
    end = _tree(moved.get("end"))
    for last in map(_tree, visible[-1:]):
        for axis in ("x", "y"):
            if end.get(axis) != last.get(axis):
                yield difference(f"{path}.end.{axis}", end.get(axis), last.get(axis))


def _wrong_item(action: Tree, effect: Tree, path: str) -> Found:
    """An attack has the weapon that was asked for."""
    asked, who = action.get("weapon", action.get("grenade")), action.get("combatant")
    for name, owner in (("detail", "attacker"), ("source", "combatant")):
        holder = _tree(effect.get(name))
        is_asked = asked is not None and who is not None and holder.get(owner) == who
        if is_asked and holder.get("item", asked) != asked:
            yield difference(f"{path}.{name}.item", holder.get("item"), asked)


def _owners(tree: Tree) -> frozenset[str]:
    """Those whose draws a view shows."""
    return frozenset(
        owner
        for draw in _list(tree.get("draws"))
        if isinstance(draw, dict) and isinstance(owner := draw.get("combatant"), str)
    )


def _wrong_rollers(
    draws: list[object],
    owners: frozenset[str],
    rollers: tuple[_Roller, ...],
    effect: Tree,
    path: str,
) -> Found:
    """A roll has the draws of the one who rolls, as far as both are told."""
    for row in rollers:
        held = [(path, effect)]
        if row.within:
            listed = enumerate(_list(effect.get(row.within)))
            held = [(f"{path}.{row.within}[{place}]", _tree(each)) for place, each in listed]
        for where, holder in held:
            roll = _tree(_at(holder, *row.roll))
            who = _at(holder, *row.who) if roll else None
            is_told = who is not None and any(owner != who for owner in owners)
            if is_told and _has_strangers(roll, draws, who):
                yield difference(f"{where}.{'.'.join(row.roll)}.draws", roll.get("draws"), UNSET)


def _has_strangers(roll: Tree, draws: list[object], who: object) -> bool:
    """Whether a roll names draws of this event that are those of another combatant."""
    strange = [
        draw
        for draw in map(_tree, draws)
        if isinstance(owner := draw.get("combatant"), str) and owner != who
    ]
    if not strange:
        return False
    runs = [_tree(each) for each in _list(roll.get("draws"))]
    count = len(_list(roll.get("faces")))
    return any(_names(run, draw, run.get("count", count)) for draw in strange for run in runs)


def _names(run: Tree, draw: Tree, count: object) -> bool:
    """Whether a run of so many draws of this event has a draw."""
    if "seq" in run or run.get("stream") != draw.get("stream"):
        return False
    match run.get("number"), draw.get("number"), count:
        case int(first), int(number), int(many):
            return first <= number < first + many
        case _:
            return False


def _seat(told: Tree, role: object, seq: int) -> _Seat:
    return _Seat(role, _list(told.get("sides")), _list(told.get("combatants")), seq)


def _at(value: object, *way: str) -> object:
    """What is found on a way; None if nothing is."""
    for step in way:
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value


def _tree(value: object) -> Tree:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
