"""Two battles that differ in secrets alone, and players who try to find out by taking things back.

How this works. Red is Ann's, blue is Bob's; the green ones are the game master's, hidden, others in
each world and awake. In both worlds the same is asked: legal deeds, throws and shots into the dark,
answers, rewinds to anywhere. The game master does something else in each, in secret. After every
step whatever Ann, Bob and an onlooker may see must be equal byte for byte, and so must be what
becomes of every rewind that Ann or Bob could ask for. Where the worlds part openly (somebody met a
secret, or somebody unseen is asked, which holds the battle: both are declared) the rewinds of
whoever acted must still be refused alike, but where a rulebook frees an action that is shown to
have asked nobody (`Ruleset.frees`); then the game master takes the step back in both.
"""

from collections import Counter
from random import Random
from typing import Final

from service.engine.ruleset.definition import nothing_freed
from service.engine.vocabulary.values import DiceMode
from tests.hostile.battle import (
    NEVER_UNDONE_WORDS,
    PLAYER_OF,
    UNKNOWING,
    Battle,
    Done,
    Outcome,
    Tree,
    combatant_in,
    has_unseen_question,
    questions,
    seen_questions,
    turn_of,
)
from tests.kit.rig import Rig, there

TRIES: Final = 6
"""How many seqs before the head a player reaches for."""


def setups_of(rig: Rig, number: int, mode: DiceMode) -> tuple[Tree, Tree]:
    """The setups of the two worlds of a battle; half of the sealed ones have hidden ground.

    Where the table rolls, hidden ground is met long before it is shown.
    """
    first, second = (there(rig.hostile).world(number, variant) for variant in (0, 3))
    if mode == "sealed" and number % 2 == 1:
        return first, second
    return without_ground(first), without_ground(second)


def without_ground(setup: Tree) -> Tree:
    """The setup without what it hides of the ground."""
    return {name: value for name, value in setup.items() if not name.startswith("hidden_")}


class Worlds:
    """Both battles, and what came to pass in them.

    `counts` by kind; `parted` are the seqs of events by which the worlds parted openly, `mended`
    those of the rewinds behind them.
    """

    def __init__(self, rig: Rig, battles: tuple[Battle, Battle], chance: str) -> None:
        self.rig = rig
        self.battles = battles
        self.dice = Random(chance)
        self.counts: Counter[str] = Counter()
        self.parted: set[int] = set()
        self.mended: set[int] = set()
        self._before_unseen = 1
        self.both({"type": "start_encounter"}, "gm")

    @property
    def one(self) -> Battle:
        """The first of them; whatever is seen in it is seen in the other."""
        return self.battles[0]

    @property
    def head(self) -> int:
        """How many events there are in either."""
        return self.one.head

    def play(self, events: int) -> None:
        """Go on until there are so many events, or nobody can act."""
        while self.head < events and turn_of(self.one) is not None:
            self._step()

    def _step(self) -> None:
        chance = self.dice.random()
        if chance < 0.25:
            self.take_back()
        elif chance < 0.35:
            self.secretly()
        elif chance < 0.45:
            self.openly()
        elif questions(self.one):
            self.reply()
        elif turn_of(self.one) == self.one.unseen:
            self.act_unseen()
        else:
            self.act(is_probe=chance > 0.7)

    # --- what is done -------------------------------------------------------------------------

    def act(self, *, is_probe: bool) -> None:
        """Whoever has the turn does something, or attacks where nobody may be."""
        turn = turn_of(self.one)
        assert turn is not None
        by = PLAYER_OF[combatant_in(self.one, turn)["side"]]
        action: Tree | None = (
            there(self.rig.hostile).probe(self.battles, turn, self.dice) if is_probe else None
        )
        self.both(action or self.dice.choice(self.one.samples(turn, 6, by)), by)

    def act_unseen(self) -> None:
        """The hidden one does something that nobody notices, another thing in each world."""
        sampled = [
            [
                each
                for each in battle.samples(battle.unseen, 12, "gm")
                if each["type"] in self.rig.worlds.quiet
            ]
            for battle in self.battles
        ]
        if all(sampled):
            first, second = (self.dice.choice(each) for each in sampled)
            self.apart(first, second)
        if turn_of(self.one) == self.one.unseen:
            first, second = (
                {"type": "end_turn", "combatant": battle.unseen} for battle in self.battles
            )
            self.apart(first, second)

    def reply(self) -> None:
        """A player answers what it is asked; where nobody sees the question, the master passes."""
        seen = seen_questions(self.one)
        asked = [each for each in questions(self.one) if each["id"] in seen]
        if not asked:
            first, second = map(forced, self.battles)
            self.apart(first, second)
            return
        decision = self.dice.choice(asked)
        by = answerer(decision)
        if decision["kind"] == "roll":
            answer = {"type": "answer", "decision_id": decision["id"], "choice": {"type": "roll"}}
            roll = decision["roll"]
            faces = tuple(self.dice.randint(1, roll["sides"]) for _ in range(roll["count"]))
            self.both(answer, by, faces)
            return
        self.both(self.dice.choice(self.one.samples(decision["combatant"], 6, by)), by)

    def take_back(self) -> None:
        """A player goes back, mostly a little."""
        by = self.dice.choice(("ann", "bob"))
        to = max(1, self.head - self.dice.randint(0, TRIES))
        self.both({"type": "rewind", "to": to}, by)

    def secretly(self) -> None:
        """The game master does what nobody sees, something else in each world."""
        one, other = (battle.unseen for battle in self.battles)
        deeds: tuple[tuple[Tree, Tree], ...] = (
            (note("in the cellar"), note("on the roof, in the dark")),
            (hurt(one, 5), hurt(other, 6)),
            (hurt(one, 4), there(self.rig.hostile).unmet),
        )
        pair = self.dice.choice(deeds)
        if questions(self.one):
            pair = deeds[self.dice.randrange(2)]
        self.apart(*pair)

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
        was_unseen = any(map(has_unseen_question, self.battles))
        outcomes = [
            attempt(battle, action, by, faces)
            for battle, action in zip(self.battles, (first, second), strict=True)
        ]
        kind = f"{first['type']} by {'a player' if by in ('ann', 'bob') else 'the master'}"
        events = [each for each in outcomes if isinstance(each, Done)]
        if len(events) < len(outcomes):
            assert outcomes[0] == outcomes[1], (kind, outcomes)
            self.counts[f"{kind} refused"] += 1
            return
        self.counts[kind] += 1
        is_unseen = any(map(has_unseen_question, self.battles))
        if any(self._is_met(event) for event in events):
            self.counts["met"] += 1
            self._go_back(mark, mark)
            return
        if by in ("ann", "bob") and first["type"] == "rewind":
            self._require_own(by)
        if is_unseen and not was_unseen:
            self.counts["somebody unseen is asked"] += 1
            if not all(map(has_unseen_question, self.battles)):
                self.counts["in one world alone"] += 1
            if self.rig.ruleset.frees is nothing_freed or self._is_told_alike():
                self._compare_rewinds()
            self._before_unseen = mark
            if not self._is_told_alike():
                self._go_back(mark, mark)
            return
        if was_unseen and not self._is_told_alike():
            # How many events a group of decisions takes is a declared leak.
            self._go_back(self._before_unseen, mark)
            return
        if self._is_turn_elsewhere():
            self._go_back(mark, mark)
            return
        self._compare()
        self._compare_rewinds()

    def _require_own(self, by: str) -> None:
        """What a player took back was its own, or what no rewind undoes."""
        for battle in self.battles:
            for event in battle.undone():
                assert event.seat == by or event.action in NEVER_UNDONE_WORDS, event

    def _go_back(self, to: int, mark: int) -> None:
        """The game master takes back what made the worlds part openly: all behind `mark`."""
        self.parted |= set(range(mark + 1, self.head + 1))
        outcomes = [battle.ask({"type": "rewind", "to": to}, "gm") for battle in self.battles]
        assert all(isinstance(each, Done) for each in outcomes), outcomes
        self.mended.add(self.head)
        self._compare()
        self._compare_rewinds()
        self.counts["parted"] += 1

    def _is_met(self, event: Done) -> bool:
        unseen = {"h", "k", "x0", "x1", "x2"}
        if any(
            each["type"] == "felled" and each.get("combatant") in unseen for each in event.effects
        ):
            return True
        words = {each.get(word) for each in event.effects for word in ("cause", "outcome")}
        return not words.isdisjoint(self.rig.worlds.met)

    def _is_turn_elsewhere(self) -> bool:
        """Whether it is the turn of somebody unseen in one world alone: a declared leak."""
        one, other = (
            None if turn_of(battle) == battle.unseen else turn_of(battle) for battle in self.battles
        )
        return one != other

    def _is_told_alike(self) -> bool:
        one, other = self.battles
        return all(one.told(by) == other.told(by) for by in UNKNOWING)

    def _compare(self) -> None:
        one, other = self.battles
        for by in UNKNOWING:
            assert one.told(by) == other.told(by), by

    def _compare_rewinds(self) -> None:
        """Every rewind that a player could ask for now."""
        one, other = self.battles
        for by in ("ann", "bob"):
            assert one.rewinds_tried(by) == other.rewinds_tried(by), (by, self.head)


def note(text: str) -> Tree:
    """A remark for the game master alone."""
    return {"type": "note", "gm_text": text}


def hurt(combatant: str, health: int) -> Tree:
    """A secret word about somebody's health."""
    change = {"type": "hp", "combatant": combatant, "value": health}
    return {"type": "adjust", "changes": [change], "reason": f"{health} of them"}


def answerer(decision: Tree) -> str:
    """Who is asked."""
    return decision.get("seat") or PLAYER_OF.get(decision["side"], "gm")


def forced(battle: Battle) -> Tree:
    """The game master passes for whoever is asked first."""
    return {"type": "force_pass", "decision_id": questions(battle)[0]["id"]}


def attempt(battle: Battle, action: Tree, by: str, faces: tuple[int, ...] = ()) -> Outcome:
    """Ask for it; the game master brings what dice are needed."""
    dice = Random(f"{battle.head}")
    while True:
        outcome = battle.ask(action, by, faces)
        if isinstance(outcome, Done) or outcome.code != "too_few_faces" or by != "gm":
            return outcome
        faces += (dice.randint(1, outcome.params["sides"]),)
