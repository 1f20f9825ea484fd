"""Whole battles of the toy ruleset: short, but with everything that a log can hold."""

from service.engine.battle.linear import Seat
from service.engine.battle.state import TableOptions
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary.choices import RollChoice
from service.engine.vocabulary.values import By, Place, Side
from tests.kit.table import GM, Table, seat_by
from tests.toy.model import (
    Adjust,
    DodgeChoice,
    Field,
    Fighter,
    Hide,
    Sniff,
    Step,
    Strike,
    ToyAnswer,
    ToySetup,
)
from tests.toy.rules import RULESET

ANN = seat_by("ann")
BOB = seat_by("bob")
SIDES = (Side(id="red", name="The Reds"), Side(id="blue"))
SEATS = (
    Seat(id="ann", role="player", sides=("red",), name="Ann"),
    Seat(id="bob", role="player", sides=("blue",)),
    Seat(id="eve", role="observer"),
)


def fighter(name: str, side: str, x: int, *, hidden: bool = False) -> Fighter:
    """A fighter of 6 health with a name."""
    return Fighter(
        id=name,
        name=name.title(),
        side=side,
        place=Place(x=x, y=0),
        hidden=hidden,
        health=6,
        health_max=6,
        grit=2,
    )


SETUP = ToySetup(
    fighters=(
        fighter("anders", "red", 0),
        fighter("berta", "blue", 1),
        fighter("lurker", "blue", 3, hidden=True),
    ),
    field=Field(width=10, walls=((5, 1),)),
    options=TableOptions(enemy_numbers="hidden", enemy_health="band"),
)


def turn_to(table: Table, name: str) -> None:
    """End turns until it is that combatant's."""
    while table.state.rule.turn != name:
        table.act(do.EndTurn(combatant=table.state.rule.turn))


def strike(table: Table, who: str, target: str, by: By = GM) -> None:
    """Strike, and have the target dodge as long as anybody asks."""
    table.act(Strike(combatant=who, target=target), by)
    while table.state.rule.pending:
        decision = table.state.rule.pending[-1].decisions[0]
        table.act(ToyAnswer(decision_id=decision.id, choice=DodgeChoice()))


def ambush() -> Table:
    """Sealed dice, contributions, a hidden ambusher, a rewind, an override, notes, a reveal."""
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS, title="Ambush")
    table.act(do.Contribute(value="ab" * 32), ANN)
    table.act(do.Contribute(value="cd" * 32), BOB)
    table.act(do.StartEncounter())
    turn_to(table, "anders")
    mark = len(table.sealed)
    strike(table, "anders", "berta", ANN)
    table.act(do.NoteAction(text="Anders hits his stride", gm_text="lurker next"))
    table.act(do.Rewind(to=mark))
    table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    table.act(do.Rewind(to=len(table.sealed) - 1), ANN)
    strike(table, "anders", "berta", ANN)
    table.act(Sniff())
    turn_to(table, "lurker")
    table.act(Step(combatant="lurker", dx=-1, dy=0), BOB)
    change = alter.SetHp(combatant="berta", value=5)
    table.act(Adjust(changes=(change,), reason="She wore a helmet"))
    strike(table, "lurker", "anders", BOB)
    turn_to(table, "berta")
    table.act(Hide(combatant="berta"), BOB)
    table.act(do.AssignControl(seat="ann", sides=("red", "blue")))
    turn_to(table, "anders")
    strike(table, "anders", "lurker", ANN)
    table.act(do.EndEncounter(winner="blue", reason="Time to go home"))
    table.act(do.Reveal(seed=True))
    return table


def table_dice() -> Table:
    """The table rolls: the GM's faces come with the action, players are asked for theirs."""
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS, dice="supplied")
    table.act(do.StartEncounter(), faces=(20, 10, 5))
    table.act(Strike(combatant="anders", target="berta"), ANN)
    answer_roll(table, (5,), ANN)
    dodge = table.state.rule.pending[-1].decisions[0]
    table.act(ToyAnswer(decision_id=dodge.id, choice=DodgeChoice()), BOB)
    answer_roll(table, (2,), BOB)
    answer_roll(table, (3,), BOB)
    table.act(do.EndTurn(combatant="anders"), ANN)
    table.act(Strike(combatant="berta", target="anders"), faces=(1,))
    table.act(Strike(combatant="berta", target="anders"), BOB)
    answer_roll(table, (6,), BOB)
    dodge = table.state.rule.pending[-1].decisions[0]
    table.act(do.ForcePass(decision_id=dodge.id), faces=(4,))
    table.act(do.EndEncounter(reveal="now", open="all"))
    return table


def answer_roll(table: Table, faces: tuple[int, ...], by: By) -> None:
    """Bring the dice that were asked for."""
    decision = table.state.rule.pending[-1].decisions[0]
    table.act(ToyAnswer(decision_id=decision.id, choice=RollChoice()), by, faces)
