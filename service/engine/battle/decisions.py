"""Pending decisions: who may answer what, and dice as questions.

How this works. State holds a stack of groups. Any open decision of the top group may be answered by
an entitled seat (`is_entitled`); everything else waits (`decision_groups.py`: what waits for
answers, and how it goes on). Where the table rolls its own dice and a player acts, the rules run
until they need a face; the action is then kept as *declared* and a decision `roll` asks that seat
for the faces. The answer runs the rules again from the declared action with all faces so far, until
they need no more; only then anything is applied.
"""

from typing import Final

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.linear import seat_of
from service.engine.battle.open_decisions import (
    Decision,
    DecisionGroup,
    Declared,
    RollRequest,
    in_order,
)
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import RuleState, State, controls, scope_of, viewer_of
from service.engine.dice.dice import EarlierFace, NeedFaces
from service.engine.log import canonical
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.audience_plan import plan_of
from service.engine.visibility.scope import Scope, Viewer, audience_of, narrow
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.choices import Choice
from service.engine.vocabulary.rolls import draws_of, one_by_one, runs_of, told_again
from service.engine.vocabulary.values import By, DrawRun, Roll
from service.errors import Forbidden, Refused


def addressee(decision: Decision) -> str:
    """Seat or side that is asked, as a word for people and programs."""
    if decision.seat is not UNSET:
        return decision.seat
    return decision.side if decision.side is not UNSET else GM_WORD


def require_open(state: State[RuleState], decision_id: str, by: By) -> Decision:
    """The decision, if it is open on top of the stack and this caller may answer it.

    Raises Forbidden("not_your_decision") or Refused("decision_closed").
    """
    top = state.rule.pending[-1] if state.rule.pending else None
    decision = next((d for d in top.decisions if d.id == decision_id), None) if top else None
    viewer = viewer_of(by, state.rule, state.linear)
    if decision is None or not viewer.may_know(audience_of(decision, scope_of(state.rule))):
        raise Refused("decision_closed", decision_id=decision_id)
    if not is_entitled(state, decision, by):
        raise Forbidden("not_your_decision", decision_id=decision_id)
    return decision


def require_option(decision: Decision, choice: Choice, code: str = "wrong_choice") -> None:
    """The choice is one of those that the decision offers; `code` is the ruleset's own refusal.

    Raises Refused(code).
    """
    if choice.__struct_config__.tag not in decision.options:
        raise Refused(code, decision_id=decision.id, allowed=list(decision.options))


def open_question(rule: RuleState, combatant: str, viewer: Viewer) -> Decision | None:
    """The question about a combatant that can be answered now, if the viewer may know of it."""
    top = rule.pending[-1].decisions if rule.pending else ()
    scope = scope_of(rule)
    visible = (decision for decision in top if viewer.may_know(audience_of(decision, scope)))
    return next((decision for decision in visible if decision.combatant == combatant), None)


def is_entitled(state: State[RuleState], decision: Decision, by: By) -> bool:
    """The GM may answer for anyone; a player what its seat, side or combatant is asked.

    A seat that controls the combatant in question answers for its side, too; a question about no
    combatant (dice that the side rolls) takes any seat that controls a combatant of the side.
    """
    if by.role == "gm":
        return True
    seat = seat_of(state.linear, by.seat) if by.seat is not UNSET else None
    if seat is None or by.role != "player":
        return False
    if decision.seat is not UNSET:
        return decision.seat == seat.id
    if decision.side is not UNSET and decision.side in seat.sides:
        return True
    if decision.combatant is UNSET:
        members = (combatant_of(state.rule, member) for member in seat.combatants)
        return any(member is not None and member.side == decision.side for member in members)
    about = combatant_of(state.rule, decision.combatant)
    if about is None or decision.side not in (UNSET, about.side):
        return False
    return controls(by, state.linear, about)


def group_of(rule: RuleState, decision: Decision) -> DecisionGroup:
    """The group of an open decision: the top one."""
    return next(group for group in rule.pending if decision in group.decisions)


_SIDE_LETTERS: Final = "abcdefhijklmnopq"
"""One for each of up to 16 sides; `g` is the GM's."""


def decision_id(seq: int, number: int, audience: str, scope: Scope) -> str:
    """Id of the n-th decision that event `seq` opens for an audience, counted from 1."""
    if audience == EVERYONE_WORD:
        return f"d{seq}.{number}"
    letter = "g" if audience == GM_WORD else _SIDE_LETTERS[scope.sides.index(audience)]
    return f"d{seq}.{letter}{number}"


def ask_for_faces(
    state: State[RuleState], need: NeedFaces, declared: Declared, awaiting: Action, seq: int
) -> fx.DecisionOpened:
    """The question for the dice that a declared action needs next.

    `happens` is that action or, where it is an answer, the one that goes on with it. Only those
    know of the question who may know of that and of its dice; the roller's seat or side is asked.
    """
    scope = scope_of(state.rule)
    audience = narrow(audience_of(awaiting, scope), scope.stream(need.stream))
    seat, side = _roller(state, need, declared.by, audience)
    decision = Decision(
        id=decision_id(seq, 1, audience, scope),
        kind="roll",
        opened_by=seq,
        seat=seat,
        side=side,
        options=("roll",),
        default="roll",
        roll=RollRequest(count=need.count, sides=need.sides, purpose=need.purpose),
        stream=UNSET if audience == EVERYONE_WORD else scope.stream_of(audience),
    )
    return fx.DecisionOpened(decision=decision, declared=declared)


def declare(action: Action, by: By) -> Declared:
    """An action that waits for dice and has none yet."""
    return Declared(action=without_text(action), by=by)


def declare_further(declared: Declared, roll: Roll, seq: int) -> Declared:
    """The action waits for more dice than those that event `seq` brought."""
    draws = (*_draws_of(declared), *draws_of(told_again(roll, seq)))
    return replace(declared, faces=(*declared.faces, *roll.faces), draws=runs_of(draws))


def declare_again(declared: Declared, taken: tuple[EarlierFace, ...]) -> Declared:
    """The action waits with those of its faces that it still takes."""
    faces = tuple(face.face for face in taken)
    return replace(declared, faces=faces, draws=runs_of(face.draw for face in taken))


def earlier_faces(declared: Declared) -> tuple[EarlierFace, ...]:
    """The faces that a declared action has already, in the order of drawing."""
    return tuple(map(EarlierFace, declared.faces, _draws_of(declared)))


def _draws_of(declared: Declared) -> tuple[DrawRun, ...]:
    return one_by_one(declared.draws, len(declared.faces))


def without_text(action: Struct) -> Raw:
    """An action that waits, as it is kept: free text may be erased from the log, this may not."""
    text = [field.attribute for field in plan_of(type(action)).fields if field.is_text]
    return Raw(canonical.encode(replace(action, **dict.fromkeys(text, UNSET))))


def _roller(
    state: State[RuleState], need: NeedFaces, by: By, audience: str
) -> tuple[str | UnsetType, str | UnsetType]:
    """Seat or side that rolls: the one who acts, for an enemy its side; neither is the GM.

    A seat that plays no more rolls no more either.
    """
    owner = None if need.combatant is UNSET else combatant_of(state.rule, need.combatant)
    is_own = owner is None or (by.kind != "system" and controls(by, state.linear, owner))
    if owner is not None and not is_own and audience in (EVERYONE_WORD, owner.side):
        return UNSET, owner.side
    may_know = viewer_of(by, state.rule, state.linear).may_know(audience)
    return (by.seat if may_know and _plays(state, by) else UNSET), UNSET


def _plays(state: State[RuleState], by: By) -> bool:
    """Whether the caller may still answer: the GM may, and a seat that is still a player's."""
    if by.role == "gm" or by.seat is UNSET:
        return True
    seat = seat_of(state.linear, by.seat)
    return seat is not None and seat.role == "player"


def is_asked_alike(decision: Decision, opened: fx.DecisionOpened) -> bool:
    """Whether a question for dice is the same but for its id."""
    fresh = opened.decision
    return (decision.roll, decision.stream, decision.seat, decision.side) == (
        fresh.roll,
        fresh.stream,
        fresh.seat,
        fresh.side,
    )


def require_faces(decision: Decision, supplied: int) -> None:
    """An answer to `roll` brings exactly the dice that were asked for.

    Raises Refused("too_few_faces") or Refused("too_many_faces").
    """
    request = decision.roll
    if request is UNSET or supplied == request.count:
        return
    if supplied < request.count:
        raise faces_missing(request.purpose, request.sides, request.count, supplied)
    raise Refused(
        "too_many_faces",
        purpose=request.purpose,
        sides=request.sides,
        needed=request.count,
        supplied=supplied,
    )


def faces_missing(purpose: str, sides: int, needed: int, supplied: int) -> Refused:
    """The refusal for dice that are missing: whose purpose and sides, and how many there are."""
    return Refused(
        "too_few_faces",
        purpose=purpose,
        sides=sides,
        needed=needed,
        supplied=supplied,
        missing=needed - supplied,
    )


def close_all(rule: RuleState) -> tuple[fx.DecisionClosed, ...]:
    """Every decision closed as void, the top group first; answers that were given stay sealed."""
    return tuple(
        fx.DecisionClosed(decision_id=decision.id, how="void")
        for group in reversed(rule.pending)
        for decision in in_order(group)
    )


def reissue(rule: RuleState, seq: int) -> tuple[fx.Reissued, ...]:
    """New ids for the decisions of a state that event `seq` rewinds to, also for answered ones."""
    counts: dict[str, int] = {}
    scope = scope_of(rule)
    reissued = []
    for group in rule.pending:
        for decision in in_order(group):
            audience = audience_of(decision, scope)
            counts[audience] = counts.get(audience, 0) + 1
            fresh = decision_id(seq, counts[audience], audience, scope)
            reissued.append(fx.Reissued(was=decision.id, id=fresh))
    return tuple(reissued)
