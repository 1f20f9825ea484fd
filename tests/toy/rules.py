"""A tiny ruleset for tests of the engine and of everything above it: squares, sticks and ambushes.

`step` moves one square; `strike` draws a die and, on 4 or more, asks the target's side whether to
dodge; `dodge` draws against it; `throw` is at somebody or at a square; `sweep` asks everybody it
threatens before it draws (`sweeping.py`), `charge` asks in the middle (`charging.py`); `hide` makes
a combatant known to its own side alone; `sniff` is a hidden roll of the GM's. It holds nothing that
a rulebook would be needed for.
"""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.creation import created_by
from service.engine.battle.decisions import decision_id, open_question, require_open, require_option
from service.engine.battle.evolve import evolve_core
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import combatant_of
from service.engine.battle.setup import Header
from service.engine.battle.state import State, scope_of, viewer_of
from service.engine.dice.dice import Dice
from service.engine.kit.targets import require_one
from service.engine.map_check import MapReport
from service.engine.ruleset.definition import (
    NO_ANSWERS,
    Answers,
    Catalogue,
    Preview,
    Ruleset,
)
from service.engine.ruleset.legal_nodes import NodeSource, answers, ready
from service.engine.ruleset.roll_places import Retelling
from service.engine.scene import Scene, bounds_around
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.streams import GM_STREAM
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By, Place
from service.errors import Refused
from tests.toy import charging, suspending, sweeping
from tests.toy.fighting import HIT_FROM, fighter_of, hurt, revealed
from tests.toy.model import (
    AddFighter,
    Adjust,
    Charge,
    Create,
    DodgeChoice,
    Field,
    FighterAdded,
    Hide,
    Sniff,
    Step,
    Strike,
    Sweep,
    Throw,
    ToyAction,
    ToyAnswer,
    ToyDecision,
    ToyEvent,
    ToyOpened,
    ToySetup,
    ToyState,
)

Effects = tuple[fx.Effect, ...]


def create(setup: ToySetup, header: Header) -> Create:
    """Event 1's action."""
    return Create(
        ruleset="toy",
        version="1",
        dice=header.dice,
        commitment=header.commitment,
        seed="given" if header.seed == "given" else "os",
        sides=header.sides,
        seats=header.seats,
        options=setup.options,
        combatants=setup.fighters,
        map=header.digests[0],
        reveal_by_days=header.reveal_by_days,
        title=header.title,
    )


def initial(created: fx.EncounterCreated) -> ToyState:
    """The blank state of event 1."""
    return ToyState(
        options=created.options, dice=created.dice.mode, sides=created.sides, map=created.map
    )


def evolve(rule: ToyState, effect: fx.Effect) -> ToyState:
    """Everything is shared."""
    return evolve_core(rule, effect)


def decide(state: State[ToyState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """The rules."""
    told = EffectBuilder(state, evolve)
    match action:
        case Create():
            return _created(action, by)
        case AddFighter(combatant=fighter):
            number = state.linear.next_number
            return (FighterAdded(combatant=replace(fighter, number=number)),)
        case do.RemoveCombatant(combatant=who):
            return (fx.CombatantRemoved(combatant=who),)
        case do.StartEncounter():
            _start(told, dice)
        case Strike() | Throw() | Sweep() | Charge():
            _require_turn(told.rule, action.combatant)
            _fight(told, action, by, seq, dice)
        case ToyAnswer() | do.ForcePass():
            _answer(told, state, action, by, dice)
        case Adjust():
            _adjust(told, action)
            suspending.look_again(told, dice)
        case _:
            _move(told, state, action, dice)
    return told.emitted


def _fight(
    told: EffectBuilder[ToyState],
    action: Strike | Throw | Sweep | Charge,
    by: By,
    seq: int,
    dice: Dice,
) -> None:
    match action:
        case Strike():
            _strike(told, action, seq, dice)
        case Throw():
            _throw(told, action, dice)
        case Sweep():
            sweeping.sweep(told, action, by, seq, dice)
        case Charge():
            charging.charge(told, action, by, seq)


def _move(
    told: EffectBuilder[ToyState], state: State[ToyState], action: do.Action, dice: Dice
) -> None:
    match action:
        case do.EndTurn():
            _end_turn(told, action.combatant)
        case Step():
            _step(told, state, action)
        case Hide():
            told.emit(fx.Hidden(combatant=action.combatant, cause="hide"))
        case Sniff():
            roll = dice.roll(1, 20, "sniff", stream=GM_STREAM)
            victim = next((c.id for c in state.rule.combatants if c.hidden), UNSET)
            told.emit(fx.Rolled(purpose="sniff", combatant=victim, roll=roll))
        case _:
            raise Refused("unknown_action")


def _created(action: Create, by: By) -> Effects:
    created = created_by(fx.EncounterCreated, action, by)
    added = [
        FighterAdded(combatant=replace(fighter, number=number))
        for number, fighter in enumerate(action.combatants, 1)
    ]
    return (created, *added, *(fx.SeatChanged(seat=seat) for seat in action.seats))


def _start(told: EffectBuilder[ToyState], dice: Dice) -> None:
    scores = []
    for fighter in told.rule.combatants:
        scope = scope_of(told.rule)
        stream = scope.stream_of(scope.subject(fighter.id))
        roll = dice.roll(1, 20, "initiative", stream=stream, combatant=fighter.id)
        told.emit(fx.Rolled(purpose="initiative", combatant=fighter.id, roll=roll))
        scores.append((-roll.total, fighter.id))
    entries = tuple(fx.OrderEntry(combatant=name, score=-score) for score, name in sorted(scores))
    told.emit(fx.EncounterStarted())
    told.emit(fx.OrderSet(entries=entries))
    told.emit(fx.RoundBegan(round=1))
    told.emit(fx.TurnBegan(combatant=told.rule.order[0]))


def _end_turn(told: EffectBuilder[ToyState], who: str) -> None:
    order = told.rule.order
    _require_turn(told.rule, who)
    following = (order.index(who) + 1) % len(order)
    told.emit(fx.TurnEnded(combatant=who))
    if following == 0:
        told.emit(fx.RoundBegan(round=told.rule.round + 1))
    told.emit(fx.TurnBegan(combatant=order[following]))


def _require_turn(rule: ToyState, who: str) -> None:
    if rule.turn != who:
        raise Refused("not_your_turn", combatant=who)


def _step(told: EffectBuilder[ToyState], state: State[ToyState], action: Step) -> None:
    _require_turn(told.rule, action.combatant)
    mover = combatant_of(told.rule, action.combatant)
    assert mover is not None
    assert mover.place is not UNSET
    end = Place(x=mover.place.x + action.dx, y=mover.place.y + action.dy)
    field = state.terms.blobs[str(state.rule.map)]
    assert isinstance(field, Field)
    if (end.x, end.y) in field.walls or not 0 <= end.x < field.width:
        raise Refused("cell_impassable", rule="TY-STEP-1", x=end.x, y=end.y)
    known = scope_of(told.rule).subject(mover.id)
    lurker = next((c for c in told.rule.combatants if c.place == end), None)
    if lurker is not None and not lurker.hidden:
        raise Refused("cell_occupied", rule="TY-STEP-2", x=end.x, y=end.y)
    if lurker is not None and known != lurker.side:
        told.emit(revealed(lurker, "contact"))
        end = mover.place
    told.emit(
        fx.Moved(
            combatant=mover.id,
            manner="step",
            start=mover.place,
            end=end,
            complete=lurker is None,
            rule="TY-STEP-1",
        )
    )


def _strike(told: EffectBuilder[ToyState], action: Strike, seq: int, dice: Dice) -> None:
    striker = fighter_of(told.rule, action.combatant)
    target = fighter_of(told.rule, action.target)
    if target.side == striker.side:
        raise Refused("target_not_hostile", target=target.id)
    roll = dice.roll(1, 6, "strike", combatant=striker.id)
    if striker.hidden:
        told.emit(revealed(striker, "attack"))
    detail = fx.AttackDetail(attacker=striker.id, roll=roll, pool=1)
    outcome = "hit" if roll.total >= HIT_FROM else "miss"
    told.emit(fx.AttackResolved(target=target.id, outcome=outcome, detail=detail))
    if roll.total < HIT_FROM:
        return
    decision = ToyDecision(
        id=decision_id(seq, 1, EVERYONE_WORD, scope_of(told.rule)),
        kind="dodge",
        opened_by=seq,
        side=target.side,
        combatant=target.id,
        options=("dodge", "pass"),
        default="pass",
    )
    told.emit(fx.DecisionOpened(decision=decision))


def _throw(told: EffectBuilder[ToyState], action: Throw, dice: Dice) -> None:
    require_one(action, "target", "cell")
    roll = dice.roll(1, 6, "throw", combatant=action.combatant)
    outcome = "hit" if roll.total >= HIT_FROM else "miss"
    detail = fx.AttackDetail(attacker=action.combatant, roll=roll, pool=1)
    told.emit(
        fx.AttackResolved(target=action.target, place=action.cell, outcome=outcome, detail=detail)
    )


def _answer(
    told: EffectBuilder[ToyState],
    state: State[ToyState],
    action: ToyAnswer | do.ForcePass,
    by: By,
    dice: Dice,
) -> None:
    decision = require_open(state, action.decision_id, by)
    if decision.kind != "dodge":
        suspending.answer(told, decision, action, dice)
        return
    if isinstance(action, ToyAnswer):
        require_option(decision, action.choice)
    target = fighter_of(told.rule, str(decision.combatant))
    dodges = isinstance(action, ToyAnswer) and isinstance(action.choice, DodgeChoice)
    dodge = dice.roll(1, 6, "dodge", combatant=target.id) if dodges else None
    is_hit = dodge is None or dodge.total < HIT_FROM
    damage = dice.roll(1, 6, "damage", combatant=target.id) if is_hit else None
    told.emit(
        fx.DecisionClosed(
            decision_id=decision.id,
            how="answered" if isinstance(action, ToyAnswer) else "forced",
            choice="dodge" if dodges else "pass",
        )
    )
    if dodge is not None:
        outcome = "failure" if is_hit else "success"
        told.emit(fx.CheckResolved(check="dodge", combatant=target.id, outcome=outcome, roll=dodge))
    if damage is not None:
        hurt(told, target, damage)


def _adjust(told: EffectBuilder[ToyState], action: Adjust) -> None:
    told.emit(fx.Adjusted(reason=action.reason))
    for change in action.changes:
        fighter = fighter_of(told.rule, change.combatant)
        match change:
            case alter.SetHp(value=value):
                amount = fighter.health - value
                told.emit(fx.Hurt(combatant=fighter.id, amount=amount, health=value, band="hurt"))
            case alter.SetPlace(place=place):
                start = place if fighter.place is UNSET else fighter.place
                told.emit(fx.Moved(combatant=fighter.id, manner="gm", start=start, end=place))
            case alter.RevealCombatant():
                told.emit(revealed(fighter, "gm"))
            case alter.HideCombatant():
                told.emit(fx.Hidden(combatant=fighter.id))
            case _:
                raise Refused("unknown_change")


def legal_actions(view: State[ToyState], combatant: str, by: By) -> tuple[NodeSource, ...]:
    """The question that can be answered now is listed, nothing else."""
    asked = open_question(view.rule, combatant, viewer_of(by, view.rule, view.linear))
    if asked is None:
        return ()
    example = ToyAnswer(decision_id=asked.id, choice=PassChoice())
    return ready(answers(asked.options, example, asked, UNSET))


def preview(
    state: State[ToyState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """Nothing is foretold."""
    return Preview(legal=True)


RULESET: Ruleset[ToyState] = Ruleset(
    slug="toy",
    retelling=Retelling(shared={"attack_resolved.detail.roll": ("rolled.roll",)}),
    version="1",
    catalogue=Catalogue(rules=(), terms=(), messages=()),
    setup=ToySetup,
    action=ToyAction,
    event=ToyEvent,
    state=ToyState,
    create=create,
    blobs=lambda asked: (asked.field,) if isinstance(asked, ToySetup) else (),
    blob=Field,
    map=Field,
    check_map=lambda stated, _: MapReport(map=stated),
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=lambda state, viewer, action: isinstance(action, Strike | Sweep | Charge),
    legal_actions=legal_actions,
    preview=preview,
    scene=lambda source: Scene(unit="cell", is_grid=True, bounds=bounds_around(())),
    opened=ToyOpened,
)
RULESETS: dict[tuple[str, str], Ruleset[Any]] = {(RULESET.slug, RULESET.version): RULESET}
