"""The table of invariants: what holds of every view of a log, whatever its ruleset.

How this works. Effects must not contradict one another, event 1 and the action that was asked for.
Each audience has a separate table, from event 1 on. A row that lacks what it compares says
nothing. What rewinds is kept by seq (the round); seats never rewind, and of combatants only those
that were never hidden are judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from warlog.verifier.asked_effects import (
    REPEATING,
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
from warlog.verifier.details import Detail, said
from warlog.verifier.findings import ABSENT, Difference, shown
from warlog.verifier.line_forms import Json

_Found: TypeAlias = Iterator[tuple[str, Detail]]
"""The places within the view of what does not hold, and why."""

_Effects: TypeAlias = list[tuple[int, str, Json]]
"""Effects with their places and types."""

_NOT_ROLLED: Final = frozenset({"obstructed", "wasted", "counter", "CF-ALLY-3", "CF-HELP-1"})
"""The outcome, mode or rule of attacks without a roll."""

_JUDGED: Final = frozenset(
    {"area_resolved", "attack_resolved", "check_resolved", "hurt", "moved", "rolled"}
)
_WITH_ITEM: Final = frozenset({"area_resolved", "attack_resolved", "hurt"})
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
_ASKED: Final = REPEATING | {"combatant_added"}
_DECISIONS: Final = frozenset({"decision_closed", "decision_opened"})
_NOTABLE: Final = _JUDGED | _LEARNED | _ASKED | _DECISIONS | {"adjusted", "round_began"}
"""Types of effects that a row is about, or from which one learns."""


class _Roller(NamedTuple):
    """Where a roll of an effect is, and where the one who rolls; `within` is a list, if any."""

    roll: str
    who: str
    within: str = ""


_ROLLERS: Final[Mapping[str, tuple[_Roller, ...]]] = {
    "attack_resolved": (
        _Roller("detail.roll", "detail.attacker"),
        _Roller("detail.scatter", "detail.attacker"),
        _Roller("detail.saves.roll", "detail.saves.target"),
        _Roller("detail.against.roll", "detail.against.target"),
        _Roller("detail.miss_chance", "target"),
        _Roller("guess.miss_chance", "detail.attacker"),
        _Roller("answered.roll", "answered.combatant"),
    ),
    "area_resolved": (
        _Roller("detail.roll", "detail.attacker"),
        _Roller("roll", "target", "victims"),
        _Roller("answered.roll", "answered.combatant", "victims"),
    ),
    "check_resolved": (
        _Roller("roll", "combatant"),
        _Roller("reroll.roll", "combatant"),
        _Roller("opposed.roll", "opposed.combatant"),
    ),
    "hurt": (_Roller("source.roll", "source.combatant"),),
    "rolled": (_Roller("roll", "combatant"),),
}


class _Seat(NamedTuple):
    """For whom a seat acts, as was stated in event `since`."""

    role: Any
    sides: list[Any]
    combatants: list[Any]
    since: int


class _Damage(NamedTuple):
    """The dice of damage of a weapon."""

    dice: int
    sides: int


class Invariants:
    """Takes the views of one audience event by event, from the first on.

    `root` is what paths into them begin with. `is_common`: everyone's view or the game master's.
    """

    def __init__(self, root: str, *, is_common: bool) -> None:
        self._root = root
        self._is_common = is_common
        self._is_sealed = False
        self._is_fork = False
        self._rounds: dict[int, int] = {}
        self._seats: dict[str, _Seat] = {}
        self._added: dict[str, tuple[Any, int]] = {}
        self._unsure: set[str] = set()
        self._damage: dict[tuple[str, str], _Damage] = {}
        #: The options of each decision, by its ids.
        self._options: dict[str, list[Any]] = {}

    def fold(self, view: Json) -> Difference | None:
        """Take in an event as the audience sees it; the first thing that does not hold."""
        first: Difference | None = None
        for path, detail in self._wrong(view):
            if first is None:
                first = Difference("invariants", detail, self._root + path)
        return first

    def _wrong(self, view: Json) -> _Found:
        seq: int = view["seq"]
        effects = _notable(view["effects"])
        yield from self._wrong_seat(view, seq)
        yield from self._wrong_override(view, effects)
        action = _tree(view.get("action"))
        yield from missing_effect(action, effects)
        if "decision_id" in action:
            yield from wrong_answer(action, action["decision_id"], effects)
        if seq == 1:
            self._open(effects)
        if effects:
            yield from self._wrong_effects(view, effects)
        elif view["base"] in self._rounds:
            self._rounds[seq] = self._rounds[view["base"]]

    def _wrong_effects(self, view: Json, effects: _Effects) -> _Found:
        seq, number = view["seq"], self._rounds.get(view["base"])
        is_due = _at(view, "action.type") == "adjust"
        before: dict[str, int] = {}
        for place, kind, effect in effects:
            path = f".effects[{place}]"
            if kind in _ASKED:
                yield from self._wrong_asked(view, kind, effect, before, path)
            if kind == "round_began":
                told = effect.get("round", ABSENT)
                if number is not None and (type(told) is not int or told != number + 1):
                    yield f"{path}.round", said("{} instead of {}", shown(told), number + 1)
                number = told if type(told) is int else None
            elif kind == "adjusted":
                if not is_due:
                    yield path, said("an override that the action does not ask for")
                is_due = False
            elif kind in _JUDGED:
                yield from self._wrong_effect(view, effects, kind, effect, path)
            elif kind in _DECISIONS:
                yield from self._wrong_decision(view, kind, effect, path)
            else:
                self._learn(effect, seq)
        if number is not None:
            self._rounds[seq] = number

    def _wrong_asked(
        self, view: Json, kind: str, effect: Json, before: dict[str, int], path: str
    ) -> _Found:
        """An effect is what the action asks for; `before` counts the types of those before it."""
        match kind:
            case "combatant_added":
                nth = before.get(kind, 0)
                yield from wrong_addition(_tree(view.get("action")), effect, nth, path)
            case _:
                last = self._last_of(effect) if kind == "seat_changed" else {}
                yield from wrong_repetition(view, kind, effect, before, last, path)
        if is_asked(kind, effect):
            before[kind] = before.get(kind, 0) + 1

    def _open(self, effects: _Effects) -> None:
        """What event 1 settles; a fork or a prepared battle begins in a separate round."""
        for _, kind, effect in effects:
            if kind == "encounter_created":
                self._is_sealed = _at(effect, "dice.mode") == "sealed"
                self._is_fork = "fork_of" in effect
                taken = _at(effect, "state.round")
                if not self._is_fork and effect.get("prepared") is not True:
                    self._rounds[0] = 0
                elif type(taken) is int:
                    self._rounds[0] = taken

    def _wrong_effect(
        self, view: Json, effects: _Effects, kind: str, effect: Json, path: str
    ) -> _Found:
        action = _tree(view.get("action"))
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
        if view["draws"]:
            yield from _wrong_rollers(view["draws"], _ROLLERS.get(kind, ()), effect, path)

    def _wrong_seat(self, view: Json, seq: int) -> _Found:
        """A seat acts in its role, and a player for the combatants of the seat."""
        by, action = _tree(view.get("by")), _tree(view.get("action"))
        if self._root == "$":
            yield from wrong_asker(by)
        if seq == 1 or "seat" not in by:
            return
        name = by["seat"]
        seat = self._seats.get(name) if isinstance(name, str) else None
        if seat is None or seat.role != by.get("role"):
            yield ".by.seat", said("no seat {} with this role is here", shown(name))
            return
        if seat.role != "player":
            return
        actors = [("combatant", action.get("combatant"))]
        listed = enumerate(_list(action.get("combatants")))
        actors += [(f"combatants[{at}]", each) for at, each in listed]
        for place, who in actors:
            side, since = self._added.get(who, (None, seq)) if isinstance(who, str) else (None, seq)
            if since <= seat.since and who not in seat.combatants and side not in seat.sides:
                yield f".action.{place}", said("seat {} does not act for {}", name, shown(who))

    def _wrong_override(self, view: Json, effects: _Effects) -> _Found:
        """An override has its effect; a side may see the action alone."""
        is_due = _at(view, "action.type") == "adjust"
        is_missing = is_due and not any(kind == "adjusted" for _, kind, _ in effects)
        if is_missing and self._is_common:
            yield ".action", said("an override without its effect")

    def _missing_roll(self, action: Json, effect: Json, path: str) -> _Found:
        """An attack of sealed dice whose attacker is shown has a roll.

        In a fork only one that was declared there: of others the dice may be those of a side.
        """
        detail = _tree(effect.get("detail"))
        attacker = detail.get("attacker")
        if not self._is_sealed or attacker is None or "roll" in detail or "outcome" not in effect:
            return
        words = (effect["outcome"], effect.get("rule"), detail.get("mode"), detail.get("rule"))
        is_own = not self._is_fork or attacker == action.get("combatant")
        if is_own and not any(isinstance(each, str) and each in _NOT_ROLLED for each in words):
            yield f"{path}.detail.roll", said("an attack without a roll")

    def _wrong_damage(self, effects: _Effects, effect: Json, path: str) -> _Found:
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
            yield f"{path}.source.roll.faces", said("{} dice instead of {}", count, due.dice)

    def _learn(self, effect: Json, seq: int) -> None:
        """Take in what later rows compare with."""
        who = effect.get("combatant")
        match effect:
            case {"type": "combatant_added", "combatant": dict() as stated}:
                self._add(stated, seq)
            case {"type": "encounter_created"}:
                for each in _list(_at(effect, "state.combatants")):
                    self._add(_tree(each), seq)
            case {"type": "revealed" | "hidden"}:
                self._doubt(who.get("id") if isinstance(who, dict) else who)
                self._arm(_tree(who))
            case {"type": "seat_changed", "seat": {"id": str(name), "role": role}}:
                self._seats[name] = _seat(effect["seat"], role, seq)
                if effect.get("removed") is True:
                    del self._seats[name]
            case {"type": "rewound"}:
                self._ask_again(effect)
            case {"type": "control_changed", "seat": str(name)} if name in self._seats:
                self._seats[name] = _seat(effect, self._seats[name].role, seq)
            case _:
                pass

    def _last_of(self, effect: Json) -> Json:
        """Role and sides of the seat of an effect, as they were shown last."""
        name = _at(effect, "seat.id")
        seat = self._seats.get(name) if isinstance(name, str) else None
        return {} if seat is None else {"role": seat.role, "sides": seat.sides}

    def _wrong_decision(self, view: Json, kind: str, effect: Json, path: str) -> _Found:
        """A decision is closed with a choice that was made, and that it offered."""
        if kind == "decision_opened":
            self._ask(_tree(effect.get("decision")))
        elif "choice" in effect:
            options = self._options_of(effect.get("decision_id"))
            yield from wrong_choice(_tree(view.get("action")), effect, options, path)

    def _ask(self, decision: Json) -> None:
        """Take down which choices a decision offers."""
        match decision:
            case {"id": str(name), "options": list(options)}:
                self._options[name] = options
            case _:
                pass

    def _ask_again(self, rewound: Json) -> None:
        """Decisions that a rewind opens again have other ids."""
        for each in map(_tree, _list(rewound.get("decisions"))):
            options = self._options_of(each.get("was"))
            if options is not None:
                self._ask({**each, "options": options})

    def _options_of(self, decision: Any) -> list[Any] | None:
        """Which choices a decision offers, as far as that was shown."""
        return self._options.get(decision) if isinstance(decision, str) else None

    def _add(self, combatant: Json, seq: int) -> None:
        """A combatant is there for this audience from now on."""
        name = combatant.get("id")
        is_shown = combatant.get("hidden", False) is False
        if isinstance(name, str) and name not in self._unsure and is_shown:
            self._added[name] = (combatant.get("side"), seq)
        self._arm(combatant)

    def _doubt(self, name: Any) -> None:
        """A combatant that is or was hidden: nobody sees who controls it meanwhile."""
        if isinstance(name, str):
            self._added.pop(name, None)
            self._unsure.add(name)
            self._damage = {key: each for key, each in self._damage.items() if key[0] != name}

    def _arm(self, combatant: Json) -> None:
        """The dice of damage of each weapon and area that a sheet states."""
        name = combatant.get("id")
        for each in (*_list(combatant.get("weapons")), *_list(combatant.get("areas"))):
            item = _tree(each)
            damage, key = _tree(item.get("damage")), item.get("id")
            count, sides = damage.get("count"), damage.get("sides")
            if "damage_dice" in item:
                count, sides = item["damage_dice"], 6
            if type(count) is int and type(sides) is int:
                match name, key:
                    case str(owner), str(weapon):
                        self._damage[(owner, weapon)] = _Damage(count, sides)
                    case _:
                        pass


def _notable(effects: Sequence[Any]) -> _Effects:
    """Those of the effects of a view that a row is about, each with its place and type."""
    return [
        (place, kind, effect)
        for place, effect in enumerate(effects)
        if isinstance(effect, dict)
        and isinstance(kind := effect.get("type"), str)
        and kind in _NOTABLE
    ]


def _wrong_end(moved: Json, path: str) -> _Found:
    """A walk ends at the last place of its path; heights may differ."""
    end = _tree(moved.get("end"))
    for last in map(_tree, _list(moved.get("path"))[-1:]):
        for axis in ("x", "y"):
            if end.get(axis) != last.get(axis):
                yield f"{path}.end.{axis}", said("the move ends elsewhere than its path")


def _wrong_item(action: Json, effect: Json, path: str) -> _Found:
    """An attack has the weapon that was asked for."""
    asked, who = action.get("weapon", action.get("grenade")), action.get("combatant")
    for name, owner in (("detail", "attacker"), ("source", "combatant")):
        holder = _tree(effect.get(name))
        is_asked = asked is not None and who is not None and holder.get(owner) == who
        item = holder.get("item", asked)
        if is_asked and item != asked:
            yield f"{path}.{name}.item", said("{} instead of {}", shown(item), shown(asked))


def _wrong_rollers(
    draws: Sequence[Any], rollers: Sequence[_Roller], effect: Json, path: str
) -> _Found:
    """A roll has the draws of the one who rolls, as far as both are shown."""
    for row in rollers:
        held = [(path, effect)]
        if row.within:
            listed = enumerate(_list(effect.get(row.within)))
            held = [(f"{path}.{row.within}[{place}]", _tree(each)) for place, each in listed]
        for where, holder in held:
            roll = _tree(_at(holder, row.roll))
            who = _at(holder, row.who) if roll else None
            if who is not None and _has_strangers(roll, draws, who):
                detail = said("dice of another combatant than {}", shown(who))
                yield f"{where}.{row.roll}.draws", detail


def _has_strangers(roll: Json, draws: Sequence[Any], who: Any) -> bool:
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


def _names(run: Json, draw: Json, count: Any) -> bool:
    """Whether a run of so many draws of this event has a draw."""
    if "seq" in run or run.get("stream") != draw.get("stream"):
        return False
    match run.get("number"), draw.get("number"), count:
        case int(first), int(number), int(many):
            return first <= number < first + many
        case _:
            return False


def _seat(told: Json, role: Any, seq: int) -> _Seat:
    return _Seat(role, _list(told.get("sides")), _list(told.get("combatants")), seq)


def _at(value: Any, way: str) -> Any:
    """What is found on a way with dots; None if nothing is."""
    for step in way.split("."):
        value = _tree(value).get(step)
    return value


def _tree(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
