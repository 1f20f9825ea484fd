"""What every shared effect does to a battle: one by one, on a state that has something of all."""

from typing import Any

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.engine.battle.evolve import evolve_core
from service.engine.battle.linear import (
    WHOLE_NOTES,
    Contribution,
    Grant,
    Linear,
    Note,
    PastOpening,
    Seat,
    UndoFloor,
)
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.open_decisions import (
    Chosen,
    Decision,
    DecisionGroup,
    Declared,
    Suspended,
)
from service.engine.battle.state import Combatant, RuleState, TableOptions, UnknownEffect
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place, Roll, Side
from tests.kit.table import GM

A = Combatant(id="a", number=1, side="red", conditions=("prone", "aim"), health=6, health_max=9)
B = Combatant(
    id="b", number=2, side="blue", place=Place(x=1, y=2), hidden=True, health=3, health_max=3
)
ORDER = ("b", "a")


def question(name: str, number: int) -> Decision:
    return Decision(
        id=name,
        kind="reaction",
        opened_by=4,
        side="blue",
        combatant="b",
        options=("pass",),
        default="pass",
        number=number,
    )


def waiting(**action: object) -> Declared:
    text = ",".join(f'"{name}":"{value}"' for name, value in action.items())
    return Declared(action=Raw(b"{" + text.encode() + b"}"), by=GM, faces=(3,))


ONE, TWO, THREE = (question(f"d4.{number}", number) for number in (1, 2, 3))
CHOICE = Raw(b'{"type":"pass"}')
CHOSEN = Chosen(decision=THREE, how="passed", choice=CHOICE)
SUSPENDED = Suspended(action=Raw(b"{}"), by=GM)
ROLL = DecisionGroup(decisions=(question("d9.1", 1),), declared=waiting(type="answer"))
GROUP = DecisionGroup(decisions=(ONE, TWO), closed=(CHOSEN,), suspended=SUSPENDED)
RULE = RuleState(
    status="running",
    options=TableOptions(),
    dice="sealed",
    sides=(Side(id="red"), Side(id="blue")),
    map="ab" * 32,
    content="cd" * 32,
    round=2,
    order=ORDER,
    turn="a",
    combatants=(A, B),
    pending=(GROUP,),
)
BRIEF = TableOptions(enemy_health="band")
NEW = Combatant(id="n", number=7, side="red", health=1, health_max=1)


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B)}


RULES: list[tuple[fx.Effect, dict[str, Any]]] = [
    (fx.EncounterStarted(), {"status": "running"}),
    (fx.EncounterEnded(), {"status": "ended"}),
    (fx.OptionsSet(options=BRIEF), {"options": BRIEF}),
    (fx.OptionsSet(options=BRIEF, map="ef" * 32), {"options": BRIEF, "map": "ef" * 32}),
    (fx.OptionsSet(options=BRIEF, content="01" * 32), {"options": BRIEF, "content": "01" * 32}),
    (fx.CombatantAdded(combatant=NEW), {"combatants": (A, B, NEW)}),
    (fx.CombatantRemoved(combatant="a"), {"combatants": (B,), "order": ("b",)}),
    (
        fx.OrderSet(entries=(fx.OrderEntry(combatant="a"), fx.OrderEntry(side="blue"))),
        {"order": ("a",)},
    ),
    (fx.RoundBegan(round=3), {"round": 3}),
    (fx.TurnBegan(combatant="b"), {"turn": "b"}),
    (fx.TurnBegan(side="red"), {"turn": UNSET}),
    (fx.TurnEnded(combatant="a"), {"turn": UNSET}),
    (
        fx.Moved(combatant="a", manner="step", end=Place(x=5, y=6, elevation=7)),
        of(place=Place(x=5, y=6, elevation=7)),
    ),
    (fx.PostureChanged(combatant="a", posture="open"), of(posture="open")),
    (fx.Hurt(combatant="a", amount=4, health=2, band="down"), of(health=2, band="down")),
    (fx.Healed(combatant="a", amount=1, health=7, band="hurt"), of(health=7, band="hurt")),
    (fx.Felled(combatant="a", state="dead"), of(conditions=("prone", "aim", "dead"))),
    (fx.Felled(combatant="a", state="prone"), {}),
    (fx.ConditionGained(combatant="a", condition="x"), of(conditions=("prone", "aim", "x"))),
    (fx.ConditionGained(combatant="a", condition="prone"), {}),
    (fx.ConditionLost(combatant="a", condition="prone"), of(conditions=("aim",))),
    (fx.ConditionLost(combatant="a", condition="x"), {}),
    (fx.Hidden(combatant="a"), of(hidden=True)),
    (
        fx.Revealed(combatant=replace(B, health=99), cause="gm"),
        {"combatants": (A, replace(B, hidden=False))},
    ),
    (
        fx.DecisionOpened(decision=ROLL.decisions[0], declared=waiting(type="answer")),
        {"pending": (GROUP, ROLL)},
    ),
    (
        fx.DecisionOpened(decision=THREE, suspended=SUSPENDED),
        {"pending": (GROUP, DecisionGroup(decisions=(THREE,), suspended=SUSPENDED))},
    ),
    (
        fx.DecisionOpened(decision=ROLL.decisions[0], joins=True),
        {"pending": (replace(GROUP, decisions=(ONE, TWO, ROLL.decisions[0])),)},
    ),
    (
        fx.DecisionClosed(decision_id="d4.1", how="passed"),
        {"pending": (replace(GROUP, decisions=(TWO,)),)},
    ),
    (
        fx.DecisionClosed(decision_id="d4.3", how="passed"),
        {"pending": (replace(GROUP, closed=UNSET),)},
    ),
    (
        fx.DecisionClosed(decision_id="d4.1", sealed=fx.Sealed(how="forced", choice=CHOICE)),
        {
            "pending": (
                replace(
                    GROUP,
                    decisions=(TWO,),
                    closed=(CHOSEN, Chosen(decision=ONE, how="forced", choice=CHOICE)),
                ),
            )
        },
    ),
    (
        fx.Rewound(
            to=5,
            decisions=(
                fx.Reissued(was="d4.2", id="d9.1"),
                fx.Reissued(was="d4.3", id="d9.2"),
            ),
        ),
        {
            "pending": (
                replace(
                    GROUP,
                    decisions=(ONE, replace(TWO, id="d9.1")),
                    closed=(replace(CHOSEN, decision=replace(THREE, id="d9.2")),),
                ),
            )
        },
    ),
]


@pytest.mark.parametrize(("effect", "changes"), RULES, ids=lambda each: type(each).__name__)
def test_an_effect_changes_this_of_the_rule_state_and_nothing_else(
    effect: fx.Effect, changes: dict[str, Any]
) -> None:
    assert evolve_core(RULE, effect) == replace(RULE, **changes)


def test_the_last_answer_of_a_group_ends_it_and_leaves_those_beneath() -> None:
    open_ = replace(GROUP, decisions=(ONE,), closed=UNSET)
    rule = replace(RULE, pending=(GROUP, open_))
    assert evolve_core(rule, fx.DecisionClosed(decision_id="d4.1")).pending == (
        replace(GROUP, decisions=(TWO,)),
    )
    sealed = fx.Sealed(how="answered", choice=CHOICE)
    kept = evolve_core(rule, fx.DecisionClosed(decision_id="d4.1", sealed=sealed)).pending[1]
    assert (kept.decisions, kept.closed) == (
        (),
        (Chosen(decision=ONE, how="answered", choice=CHOICE),),
    )


def test_an_answer_that_waits_for_dice_names_its_decision_by_the_new_id() -> None:
    answer = waiting(type="answer", decision_id="d4.1")
    other = waiting(type="answer", decision_id="d4.7")
    rule = replace(
        RULE,
        pending=(
            DecisionGroup(decisions=(ONE,)),
            DecisionGroup(decisions=(TWO,), declared=answer),
            DecisionGroup(decisions=(THREE,), declared=other),
        ),
    )
    ids = (fx.Reissued(was="d4.1", id="d9.1"), fx.Reissued(was="d4.2", id="d9.2"))
    after = evolve_core(rule, fx.Rewound(to=5, decisions=ids))
    renamed = replace(answer, action=Raw(b'{"decision_id":"d9.1","type":"answer"}'))
    assert after.pending == (
        DecisionGroup(decisions=(replace(ONE, id="d9.1"),)),
        DecisionGroup(decisions=(replace(TWO, id="d9.2"),), declared=renamed),
        DecisionGroup(decisions=(THREE,), declared=other),
    )


# --- the half that never rewinds ------------------------------------------------------------------

ANN = Seat(id="ann", role="player", sides=("red",), name="Ann", metadata="{}")
EVE = Seat(id="eve", role="observer")
LINEAR = Linear(
    title="Ambush",
    metadata="{}",
    seats=(ANN, EVE),
    grants=(Grant(seat="ann", since=1, sides=("red",)),),
    next_number=3,
    contributions=(Contribution(seat="ann", value="ab" * 32),),
    opened="sides",
    openings=(PastOpening(before=4, opened="sides"),),
    notes=(Note(seq=5, text="a", gm_text="b"), Note(seq=6, text="c")),
    floors=(UndoFloor(seat="ann", floor=3),),
)
SEQ = 9
CREATED = fx.EncounterCreated(
    ruleset="toy",
    version="1",
    dice=fx.DiceTerms(mode="sealed"),
    commitment="ab" * 32,
    seed="os",
    options=TableOptions(),
    sides=(),
    creator=GM,
    reveal_by_days=1,
)


def granted(seat: str, *sides: str, **more: Any) -> dict[str, Any]:
    grant = Grant(seat=seat, since=SEQ, sides=sides, **more)
    return {"grants": (*LINEAR.grants, grant)}


LINEARS: list[tuple[fx.Effect, dict[str, Any]]] = [
    (CREATED, {"title": UNSET, "metadata": UNSET}),
    (
        replace(CREATED, title="Well", metadata='{"a":1}'),
        {"title": "Well", "metadata": '{"a":1}'},
    ),
    (fx.OptionsSet(options=BRIEF), {}),
    (fx.OptionsSet(options=BRIEF, metadata='{"a":1}'), {"metadata": '{"a":1}'}),
    (
        fx.SeatChanged(seat=Seat(id="zoe", role="player", knows=("blue",))),
        {
            "seats": (ANN, EVE, Seat(id="zoe", role="player", knows=("blue",))),
            "floors": (*LINEAR.floors, UndoFloor(seat="zoe", floor=SEQ)),
            **granted("zoe", "blue"),
        },
    ),
    (
        fx.SeatChanged(seat=Seat(id="ann", role="player", sides=("blue",), knows=("blue",))),
        {
            "seats": (replace(ANN, sides=("blue",), knows=("blue",)), EVE),
            **granted("ann", "blue"),
        },
    ),
    (
        fx.SeatChanged(seat=Seat(id="ann", role="gm", name="A", metadata="[]")),
        {
            "seats": (Seat(id="ann", role="gm", name="A", metadata="[]"), EVE),
            "floors": (),
            **granted("ann", role="gm"),
        },
    ),
    (
        fx.SeatChanged(seat=Seat(id="eve", role="player")),
        {
            "seats": (ANN, Seat(id="eve", role="player")),
            "floors": (*LINEAR.floors, UndoFloor(seat="eve", floor=SEQ)),
            **granted("eve"),
        },
    ),
    (
        fx.SeatChanged(seat=ANN, removed=True),
        {"seats": (EVE,), "floors": (), **granted("ann", role="observer")},
    ),
    (
        fx.ControlChanged(seat="ann", sides=("blue",), combatants=("a",), knows=("blue", "red")),
        {
            "seats": (
                replace(ANN, sides=("blue",), combatants=("a",), knows=("blue", "red")),
                EVE,
            ),
            **granted("ann", "blue", "red"),
        },
    ),
    (
        fx.ControlChanged(seat="eve", sides=("blue",), knows=("blue",)),
        {
            "seats": (ANN, replace(EVE, sides=("blue",), knows=("blue",))),
            **granted("eve", "blue", role="observer"),
        },
    ),
    (fx.CombatantAdded(combatant=NEW), {"next_number": 8}),
    (
        fx.Contributed(seat="bob", value="cd" * 32),
        {"contributions": (*LINEAR.contributions, Contribution(seat="bob", value="cd" * 32))},
    ),
    (fx.SeedRevealed(seed="ef" * 32), {"seed": "ef" * 32}),
    (fx.SeedRevealed(seed="ef" * 32, opened="all"), {"seed": "ef" * 32, "opened": "all"}),
    (fx.EncounterEnded(opened="none"), {}),
    (fx.EncounterEnded(opened="all"), {"opened": "all"}),
    (fx.PartsOpened(opened="sides"), {}),
    (fx.PartsOpened(opened="all"), {"opened": "all"}),
    (
        fx.Rewound(to=2),
        {"opened": "none", "openings": (*LINEAR.openings, PastOpening(before=SEQ, opened="sides"))},
    ),
    (
        fx.Noted(text="x", gm_text="y"),
        {"notes": (*LINEAR.notes, Note(seq=SEQ, text="x", gm_text="y"))},
    ),
    (fx.Erased(seqs=(5, 7)), {"notes": (Note(seq=5), LINEAR.notes[1])}),
]


@pytest.mark.parametrize(("effect", "changes"), LINEARS, ids=lambda each: type(each).__name__)
def test_an_effect_changes_this_of_the_other_half_and_nothing_else(
    effect: fx.Effect, changes: dict[str, Any]
) -> None:
    assert evolve_linear(LINEAR, effect, SEQ) == replace(LINEAR, **changes)


def test_a_rewind_of_a_battle_that_nobody_opened_opens_nothing() -> None:
    sealed = replace(LINEAR, opened="none")
    assert evolve_linear(sealed, fx.Rewound(to=2), SEQ) == sealed


def test_of_notes_before_the_last_ones_only_the_seqs_are_kept() -> None:
    notes = tuple([Note(seq=seq, text=f"said {seq}") for seq in range(1, WHOLE_NOTES + 3)])
    linear = Linear()
    for note in notes:
        linear = evolve_linear(linear, fx.Noted(text=note.text), note.seq)
    assert linear.notes == (Note(seq=1), Note(seq=2), *notes[2:])
    linear = evolve_linear(linear, fx.Erased(seqs=(2, 3)), SEQ)
    assert linear.notes == (Note(seq=1), Note(seq=2), Note(seq=3), *notes[3:])


# --- all of them ----------------------------------------------------------------------------------

DICE = Roll(sides=6, faces=(1,), total=1, draws=())
DETAIL = fx.AttackDetail(attacker="a")
SPOT = fx.Shape(kind="point", origin=Place(x=0, y=0))
SILENT: list[fx.Effect] = [
    fx.Rolled(purpose="x", roll=DICE),
    fx.CheckResolved(check="x", combatant="a", outcome="success"),
    fx.AttackResolved(outcome="hit", detail=DETAIL),
    fx.AreaResolved(area=SPOT, outcome="hit"),
    fx.ActionStopped(combatant="a", code="out_of_reach"),
    fx.WindowSkipped(kind="dodge", why="nobody"),
    fx.Adjusted(),
]
OWN: list[fx.Effect] = [
    fx.PhaseChanged(phase="x"),
    fx.Faced(combatant="a", facing="N"),
    fx.StatChanged(combatant="a", stat="x", now=1),
    fx.ResourceChanged(combatant="a", resource="x", now=1),
    fx.ItemChanged(combatant="a", item="x", change="lost"),
    fx.LinkChanged(link="x", combatant="a", other="b", tied=True),
    fx.MarkerPlaced(marker="x", kind="x", shape=SPOT),
    fx.MarkerRemoved(marker="x", cause="gm"),
    fx.TerrainChanged(),
    CREATED,
]


@pytest.mark.parametrize("effect", SILENT, ids=lambda effect: type(effect).__name__)
def test_some_effects_only_tell(effect: fx.Effect) -> None:
    assert evolve_core(RULE, effect) == RULE
    assert evolve_linear(LINEAR, effect, SEQ) == LINEAR


@pytest.mark.parametrize("effect", OWN, ids=lambda effect: type(effect).__name__)
def test_what_a_ruleset_must_apply_itself_is_not_passed_over(effect: fx.Effect) -> None:
    with pytest.raises(UnknownEffect, match=type(effect).__name__):
        evolve_core(RULE, effect)


def test_an_effect_of_each_kind_is_tried() -> None:
    tried = {type(effect) for effect, _ in (*RULES, *LINEARS)} | {type(e) for e in (*SILENT, *OWN)}
    kinds = {
        kind
        for kind in vars(fx).values()
        if isinstance(kind, type) and issubclass(kind, fx.Effect) and kind is not fx.Effect
    }
    assert kinds - tried == {fx.AnswerAsked}
