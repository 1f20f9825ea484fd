"""Two battles that differ in secrets alone, and players who try to find out by taking things back.

How this works. Red is Ann's, blue is Bob's; the green ones are the game master's, hidden, others in
each world and awake. In both worlds the same is asked: legal deeds, throws and shots into the dark,
answers, rewinds to anywhere. The game master does something else in each, in secret. After every
step whatever Ann, Bob and an onlooker may see must be equal byte for byte, and so must be what
becomes of every rewind that Ann or Bob could ask for. Where the worlds part openly (somebody met a
secret, or somebody unseen is asked, which holds the battle: both are declared) the rewinds of
whoever acted must still be refused alike; then the game master takes the step back in both.
"""

from collections import Counter
from random import Random
from typing import Final

from service.engine import conduct
from service.engine.actions import Rewind
from service.engine.canonical import encode
from service.engine.event import Event
from service.engine.projection import audience_of
from service.engine.state import Decision, State, scope_of
from service.engine.undo import NEVER_UNDONE
from service.engine.vocabulary import DiceMode
from service.errors import Refused, WarlogError
from tests.hostile.rules import PLAYER_OF, RULES, Rules, Tree, side_of, without_ground
from tests.rulesets.seated import SeatedTable, effects_of

UNKNOWING: Final = ("ann", "bob", "eve")
TRIES: Final = 6
"""How many seqs before the head a player reaches for."""


Outcome = Event | tuple[str, str | None, bytes]
"""What came of an attempt: the event, or code, rule and facts of the refusal."""


class Worlds:
    """Both battles, and what came to pass in them (`counts`)."""

    def __init__(self, rules: Rules, number: int, mode: DiceMode) -> None:
        self.rules = rules
        has_ground = mode == "sealed" and number % 2 == 1
        setups = [rules.world(number, variant) for variant in (0, 3)]
        self.tables = tuple(
            SeatedTable(rules.ruleset, setup if has_ground else without_ground(setup), dice=mode)
            for setup in setups
        )
        self.dice = Random(f"{number} {mode}")
        self.counts: Counter[str] = Counter()
        self._before_unseen = 1
        self.both({"type": "start_encounter"}, "gm")

    @property
    def one(self) -> SeatedTable:
        """The first of them; whatever is seen in it is seen in the other."""
        return self.tables[0]

    @property
    def head(self) -> int:
        """How many events there are in either."""
        return len(self.one.events)

    def play(self, events: int) -> None:
        """Go on until there are so many events, or nobody can act."""
        while self.head < events and self.one.turn is not None:
            self._step()

    def _step(self) -> None:
        chance = self.dice.random()
        if chance < 0.25:
            self.take_back()
        elif chance < 0.35:
            self.secretly()
        elif chance < 0.45:
            self.openly()
        elif self.one.state.rule.pending:
            self.reply()
        elif self.one.turn == "h":
            self.act_unseen()
        else:
            self.act(is_probe=chance > 0.7)

    # --- what is done -------------------------------------------------------------------------

    def act(self, *, is_probe: bool) -> None:
        """Whoever has the turn does something, or attacks where nobody may be."""
        turn = self.one.turn
        assert turn is not None
        by = PLAYER_OF[side_of(self.one, turn)]
        action: Tree | None = self.rules.probe(self.tables, turn, self.dice) if is_probe else None
        self.both(action or self.dice.choice(self.one.samples(turn, 6, by)), by)

    def act_unseen(self) -> None:
        """The hidden one does something that nobody notices, another thing in each world."""
        sampled = [
            [each for each in table.samples("h", 12) if each["type"] in self.rules.quiet]
            for table in self.tables
        ]
        end = {"type": "end_turn", "combatant": "h"}
        if all(sampled):
            first, second = (self.dice.choice(each) for each in sampled)
            self.apart(first, second)
        if self.one.turn == "h":
            self.apart(end, end)

    def reply(self) -> None:
        """A player answers what it is asked; where nobody sees the question, the master passes."""
        asked = [each for each in self.one.state.rule.pending[-1].decisions if self._is_seen(each)]
        if not asked:
            first, second = map(forced, self.tables)
            self.apart(first, second)
            return
        decision = self.dice.choice(asked)
        by = self._answerer(decision)
        answer = {"type": "answer", "decision_id": decision.id}
        if decision.kind == "roll":
            faces = tuple(
                self.dice.randint(1, decision.roll.sides) for _ in range(decision.roll.count)
            )
            self.both({**answer, "choice": {"type": "roll"}}, by, faces)
            return
        sampled = self.one.samples(str(decision.combatant), 6, by)
        self.both(self.dice.choice(sampled), by)

    def _answerer(self, decision: Decision) -> str:
        if decision.seat:
            return str(decision.seat)
        return PLAYER_OF.get(str(decision.side), "gm")

    def _is_seen(self, decision: Decision) -> bool:
        audience = audience_of(decision, scope_of(self.one.state.rule))
        return audience in ("everyone", "red", "blue")

    def take_back(self) -> None:
        """A player goes back, mostly a little."""
        by = self.dice.choice(("ann", "bob"))
        to = max(1, self.head - self.dice.randint(0, TRIES))
        self.both({"type": "rewind", "to": to}, by)

    def secretly(self) -> None:
        """The game master does what nobody sees, something else in each world."""
        deeds: tuple[tuple[Tree, Tree], ...] = (
            (note("in the cellar"), note("on the roof, in the dark")),
            (hurt("h", 5), hurt("h", 6)),
            (hurt("h", 4), {"type": "set_terrain", "secret": True, **self._ground()}),
        )
        pair = self.dice.choice(deeds)
        if self.one.state.rule.pending:
            pair = deeds[self.dice.randrange(2)]
        self.apart(*pair)

    def _ground(self) -> Tree:
        if self.rules is RULES["crossfire-d6"]:
            return {"cells": [{"x": 0, "y": 0, "kind": "free", "dark": True}]}
        span = {"start": {"x": 900, "y": 900}, "end": {"x": 901, "y": 900}, "armour": 1}
        return {"changes": [{"feature": "far", "terrain": span}]}

    def openly(self) -> None:
        """What no rewind undoes: a note, a seat that changes, with others unseen in each world."""
        seat = {"type": "change_seat", "seat": "eve"}
        deeds: tuple[tuple[Tree, Tree, str], ...] = (
            ({"type": "note", "text": "hm"}, {"type": "note", "text": "hm"}, "bob"),
            ({**seat, "combatants": []}, {**seat, "combatants": ["x0", "x2"]}, "gm"),
        )
        first, second, by = self.dice.choice(deeds)
        self.apart(first, second, by)

    # --- asking and comparing -----------------------------------------------------------------

    def both(self, action: Tree, by: str, faces: tuple[int, ...] = ()) -> None:
        """The same in both."""
        self.apart(action, action, by, faces)

    def apart(self, first: Tree, second: Tree, by: str = "gm", faces: tuple[int, ...] = ()) -> None:
        """Ask for these, one in each world, and hold the worlds against each other."""
        mark = self.head
        was_unseen = any(map(has_unseen_question, self.tables))
        outcomes = [
            attempt(table, action, by, faces)
            for table, action in zip(self.tables, (first, second), strict=True)
        ]
        kind = f"{first['type']} by {'a player' if by in ('ann', 'bob') else 'the master'}"
        if not all(isinstance(each, Event) for each in outcomes):
            assert outcomes[0] == outcomes[1], (kind, outcomes)
            self.counts[f"{kind} refused"] += 1
            return
        self.counts[kind] += 1
        events = [each for each in outcomes if isinstance(each, Event)]
        is_unseen = any(map(has_unseen_question, self.tables))
        if any(self._is_met(event) for event in events):
            self.counts["met"] += 1
            self._go_back(mark)
            return
        if by in ("ann", "bob") and first["type"] == "rewind":
            self._require_own(by, mark, int(first["to"]))
        if is_unseen and not was_unseen:
            self.counts["somebody unseen is asked"] += 1
            if not all(map(has_unseen_question, self.tables)):
                self.counts["in one world alone"] += 1
            self._compare_rewinds()
            self._before_unseen = mark
            if not self._is_equal(events):
                self._go_back(mark)
            return
        if was_unseen and not self._is_equal(events):
            # How many events a group of decisions takes is a declared leak.
            self._go_back(self._before_unseen)
            return
        if self._is_turn_elsewhere():
            self._go_back(mark)
            return
        self._compare(events)
        self._compare_rewinds()

    def _require_own(self, by: str, head: int, to: int) -> None:
        """What a player took back was its own, or what no rewind undoes."""
        for table in self.tables:
            for event in undone(table, head, to):
                assert event.by.seat == by or isinstance(event.action, NEVER_UNDONE), event

    def _go_back(self, mark: int) -> None:
        """The game master takes a step back that made the worlds part openly."""
        self._compare([table.ask({"type": "rewind", "to": mark}) for table in self.tables])
        self._compare_rewinds()
        self.counts["parted"] += 1

    def _is_met(self, event: Event) -> bool:
        effects = effects_of(event)
        unseen = {"h", "x0", "x1", "x2"}
        if any(each["type"] == "felled" and each.get("combatant") in unseen for each in effects):
            return True
        words = {each.get(word) for each in effects for word in ("cause", "outcome")}
        return not words.isdisjoint(self.rules.met)

    def _is_turn_elsewhere(self) -> bool:
        """Whether it is the turn of somebody unseen in one world alone: a declared leak."""
        return self.tables[0].turn != self.tables[1].turn

    def _is_equal(self, events: list[Event]) -> bool:
        return all(
            told(self.tables[0], events[0], by) == told(self.tables[1], events[1], by)
            for by in UNKNOWING
        )

    def _compare(self, events: list[Event]) -> None:
        for by in UNKNOWING:
            first, second = (
                told(table, event, by) for table, event in zip(self.tables, events, strict=True)
            )
            assert first == second, by

    def _compare_rewinds(self) -> None:
        """Every rewind that a player could ask for now."""
        for by in ("ann", "bob"):
            for to in range(1, self.head + 2):
                first, second = (rewind_tried(table, by, to) for table in self.tables)
                assert first == second, (by, to, self.head)


def note(text: str) -> Tree:
    """A remark for the game master alone."""
    return {"type": "note", "gm_text": text}


def hurt(combatant: str, health: int) -> Tree:
    """A secret word about somebody's health."""
    change = {"type": "hp", "combatant": combatant, "value": health}
    return {"type": "adjust", "changes": [change], "reason": f"{health} of them"}


def told(table: SeatedTable, event: Event, by: str) -> tuple[bytes, bytes, bytes]:
    """All that somebody may know after an event."""
    return encode(table.shown(event.seq, by)), encode(table.view(by)), encode(table.seating(by))


def undone(table: SeatedTable, head: int, to: int) -> list[Event]:
    """The events that counted at `head` and count no more after a rewind from there."""
    kept = set(chain(table, to))
    return [table.events[seq - 1] for seq in chain(table, head) if seq not in kept]


def chain(table: SeatedTable, seq: int) -> list[int]:
    """The seqs that the rule state after an event is made of, the last first."""
    seqs = []
    while seq:
        seqs.append(seq)
        seq = table.events[seq - 1].base
    return seqs


def forced(table: SeatedTable) -> Tree:
    """The game master passes for whoever is asked first."""
    return {"type": "force_pass", "decision_id": table.state.rule.pending[-1].decisions[0].id}


def has_unseen_question(table: SeatedTable) -> bool:
    """Whether somebody is asked of whom neither of the players knows."""
    scope = scope_of(table.state.rule)
    asked = [each for group in table.state.rule.pending for each in group.decisions]
    return any(audience_of(each, scope) not in ("everyone", "red", "blue") for each in asked)


def attempt(table: SeatedTable, action: Tree, by: str, faces: tuple[int, ...] = ()) -> Outcome:
    """Ask for it; the game master brings what dice are needed."""
    dice = Random(f"{len(table.events)}")
    while True:
        try:
            return table.ask(action, by, faces)
        except Refused as refused:
            if refused.code != "too_few_faces" or by != "gm":
                return refusal_of(refused)
            faces += (dice.randint(1, int(str(refused.params["sides"]))),)
        except WarlogError as refused:
            return refusal_of(refused)


def refusal_of(error: WarlogError) -> tuple[str, str | None, bytes]:
    """Code, rule and facts."""
    return error.code, getattr(error, "rule", None), encode(error.params)


def rewind_tried(table: SeatedTable, by: str, to: int) -> object:
    """What would become of a rewind, and nothing is done; "done" if it were."""
    seq = len(table.events) + 1
    action = Rewind(to=to)
    try:
        base = conduct.base_of(action, seq)
        before = State(rule=table.rules[base], linear=table.state.linear, blobs=table.blobs)
        dice = table._dice(before, seq, ())
        conduct.decide(table.ruleset, before, action, table.who(by), seq, dice)
    except WarlogError as error:
        return refusal_of(error)
    return "done"
