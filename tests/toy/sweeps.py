"""Battles of three sides in which one sweeps at the others, and short ways to answer."""

from collections.abc import Sequence

from msgspec.structs import replace

from service.engine.battle.linear import Seat
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import TableOptions
from service.engine.log.event import Event
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import By, DiceMode, Side
from tests.kit.table import GM, Table, seat_by
from tests.toy.battles import ANN, BOB, fighter, turn_to
from tests.toy.model import (
    Adjust,
    DodgeChoice,
    Fighter,
    ParryChoice,
    Sweep,
    ToyAnswer,
    ToyChoice,
    ToySetup,
)
from tests.toy.rules import RULESET

GIL = seat_by("gil")
EVE = seat_by("eve", "observer")
CLOCK = By(kind="system", id="clock", role="gm")
SIDES = (Side(id="red"), Side(id="blue"), Side(id="green"))
SEATS = (
    Seat(id="ann", role="player", sides=("red",)),
    Seat(id="bob", role="player", sides=("blue",)),
    Seat(id="gil", role="player", sides=("green",)),
    Seat(id="eve", role="observer"),
)
DODGE = DodgeChoice()
LOW = ParryChoice(guard="low")
PASS = PassChoice()
TARGETS = ("berta", "gerda", "bruno")


def melee(*, dice: DiceMode = "sealed", hidden: Sequence[str] = ()) -> Table:
    """Anders' turn: berta and bruno (who has no grit) are blue, gerda is green."""
    fighters: tuple[Fighter, ...] = (
        fighter("anders", "red", 0, hidden="anders" in hidden),
        fighter("berta", "blue", 1, hidden="berta" in hidden),
        fighter("gerda", "green", 2, hidden="gerda" in hidden),
        replace(fighter("bruno", "blue", 3, hidden="bruno" in hidden), grit=0),
    )
    setup = ToySetup(fighters=fighters, options=TableOptions())
    table = Table(RULESET, setup, sides=SIDES, seats=SEATS, dice=dice)
    table.act(do.StartEncounter(), faces=(20, 10, 9, 8) if dice == "supplied" else ())
    turn_to(table, "anders")
    return table


def swept(
    *, dice: DiceMode = "sealed", hidden: Sequence[str] = (), targets: Sequence[str] = TARGETS
) -> Table:
    """As `melee`, and Anders has swept at these."""
    table = melee(dice=dice, hidden=hidden)
    table.act(Sweep(combatant="anders", targets=tuple(targets), cry="Have at you!"), ANN)
    return table


def asked(table: Table, who: str) -> Decision:
    """The open question about a combatant."""
    decisions: tuple[Decision, ...] = table.state.rule.pending[-1].decisions
    return next(each for each in decisions if each.combatant == who)


def answer(
    table: Table, who: str, choice: ToyChoice, by: By | None = None, faces: tuple[int, ...] = ()
) -> Event:
    """Answer for a combatant, as the seat that plays it unless said otherwise."""
    seat = by or {"berta": BOB, "bruno": BOB, "gerda": GIL}[who]
    return table.act(ToyAnswer(decision_id=asked(table, who).id, choice=choice), seat, faces)


def rolled(table: Table, by: By, face: int) -> Event:
    """Bring the one die that is asked for."""
    [decision] = table.state.rule.pending[-1].decisions
    return table.act(ToyAnswer(decision_id=decision.id, choice=RollChoice()), by, (face,))


def struck_down(*names: str) -> Adjust:
    """The GM's word that these have no health left."""
    return Adjust(changes=tuple(alter.SetHp(combatant=name, value=0) for name in names))


def brawl() -> Table:
    """Everything that groups of decisions can do, in one log."""
    table = swept()
    opened = len(table.sealed)
    answer(table, "bruno", PASS)
    answer(table, "gerda", DODGE)
    answer(table, "berta", LOW)
    table.act(do.Rewind(to=opened + 1))
    table.act(do.ForcePass(decision_id=asked(table, "gerda").id, reason="asleep"))
    answer(table, "berta", PassChoice(reason="timeout"), CLOCK)
    sweep = Sweep(combatant="anders", targets=TARGETS)
    table.act(sweep, ANN)
    answer(table, "berta", DODGE)
    table.act(struck_down("gerda", "bruno"))
    table.act(sweep, ANN)
    table.act(struck_down("anders"))
    table.act(do.Rewind(to=opened))
    answer(table, "gerda", PASS, GM)
    table.act(do.EndEncounter(reveal="now", open="all"))
    return table


def dicey_brawl() -> Table:
    """Questions for dice on top of questions for answers, with the table's own dice."""
    table = swept(dice="supplied")
    answer(table, "bruno", PASS)
    answer(table, "gerda", DODGE)
    answer(table, "berta", DODGE)
    waiting = len(table.sealed)
    rolled(table, ANN, 5)
    table.act(do.Rewind(to=waiting))
    rolled(table, ANN, 4)
    rolled(table, BOB, 2)
    rolled(table, GIL, 6)
    rolled(table, BOB, 1)
    rolled(table, BOB, 3)
    table.act(Sweep(combatant="anders", targets=("gerda", "berta")), ANN)
    answer(table, "gerda", DODGE)
    answer(table, "berta", DODGE, GM, faces=(5, 1, 2, 3, 4))
    table.act(Sweep(combatant="anders", targets=("gerda", "berta")), ANN)
    answer(table, "gerda", PASS)
    answer(table, "berta", DODGE)
    table.act(do.ForcePass(decision_id=table.state.rule.pending[-1].decisions[0].id))
    table.act(do.ForcePass(decision_id=asked(table, "berta").id), faces=(1,))
    return table
