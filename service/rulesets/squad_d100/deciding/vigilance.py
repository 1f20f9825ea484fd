"""Watchers who look at an enemy's movement: their tests, and the shots that come of them.

How this works. A test by somebody of whom everyone knows interrupts the leg of the walk: the steps
so far are told first. One by a hidden watcher is told behind the leg, lest the seam tell of him,
unless a shot comes of it.
"""

from msgspec.structs import replace

from service.engine.battle.roster import existing, with_combatant
from service.engine.battle.state import State, scope_of
from service.engine.geometry.points import Cell
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.redaction import redacted
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import Place
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.deciding.arcs import is_arc_barred
from service.rulesets.squad_d100.deciding.courses import Course
from service.rulesets.squad_d100.deciding.shots import reaction_shot
from service.rulesets.squad_d100.ground import ground_of, line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.readings import Readings
from service.rulesets.squad_d100.rules.ground import has_shot_line
from service.rulesets.squad_d100.rules.shots import D100
from service.rulesets.squad_d100.rules.vigilance import (
    SQ_VIG_3,
    SQ_VIG_4,
    VigilanceOutcome,
    first_loaded,
    goes_on,
    vigilance_outcome,
    vigilance_threshold,
)
from service.rulesets.squad_d100.rules.words import NoShot
from service.rulesets.squad_d100.state import BattleState, Combatant, current, is_down
from service.rulesets.squad_d100.weapons import rounds_of


def look(course: Course, called: list[str], cell: Cell) -> None:
    """The tests of those who are called while the mover is in a cell, each with its shot."""
    for watcher_id in called:
        watcher = existing(course.effects.rule, watcher_id)
        if _tested(course, watcher) == "success":
            _react(course, watcher, cell)
        if not goes_on(is_mover_down=is_down(course.mover)):
            return


def _tested(course: Course, watcher: Combatant) -> VigilanceOutcome:
    """Roll the test of a watcher, for those who know of it; with a success its watch ends."""
    scope = scope_of(course.effects.rule)
    audience = scope.subject(watcher.id)
    is_open = audience == EVERYONE_WORD
    if is_open:
        course.tell("vigilance")
    roll = course.resolution.dice.roll(
        1, D100, "vigilance", stream=scope.stream_of(audience), combatant=watcher.id
    )
    needed = threshold_of(course.effects.rule, watcher)
    outcome = vigilance_outcome(roll.total, needed)
    course.note(
        own.VigilanceTested(
            rule=SQ_VIG_3,
            check="vigilance",
            combatant=watcher.id,
            versus=course.mover.id,
            outcome=outcome,
            roll=roll,
            needed=needed,
        ),
        is_open=is_open,
    )
    if outcome == "success":
        lost = own.ConditionLost(
            rule=SQ_VIG_4, combatant=watcher.id, condition="watch", cause="used"
        )
        course.note(lost, is_open=is_open)
    return outcome


def threshold_of(rule: BattleState, watcher: Combatant) -> int:
    """What a watcher's test is compared with, as its wounds leave it."""
    return vigilance_threshold(
        rule.options.vigilance_target,
        acc=current(watcher, "acc"),
        agi=current(watcher, "agi"),
        end=current(watcher, "end"),
    )


def _react(course: Course, watcher: Combatant, cell: Cell) -> None:
    """The shot of a watcher who has noticed the enemy, or why there is none."""
    rule, reaction = course.effects.rule, course.effects.rule.options.vigilance_reaction
    ground = ground_of(course.effects.state)
    weapon = first_loaded((each.id, rounds_of(each)) for each in watcher.weapons)
    if reaction == "none":
        _spare(course, watcher, "reported")
    elif weapon is None:
        _spare(course, watcher, "no_rounds")
    elif not has_shot_line(ground, cell_of(watcher), cell, line_options(rule.options)):
        _spare(course, watcher, "no_line")
    elif _is_barred(course.effects.state, watcher, course.mover, cell):
        _spare(course, watcher, "suppressed")
    else:
        course.tell("vigilance")
        reaction_shot(course.resolution, watcher.id, weapon, course.mover.id, reaction)


def _spare(course: Course, watcher: Combatant, why: NoShot) -> None:
    """There is no shot, and those who know of the watcher learn why."""
    effect = own.VigilanceNoShot(
        rule=SQ_VIG_4, combatant=watcher.id, target=course.mover.id, why=why
    )
    course.note(effect, is_open=not watcher.hidden)


def _is_barred(
    battle: State[BattleState], watcher: Combatant, mover: Combatant, cell: Cell
) -> bool:
    """Whether somebody of whom the watcher's side knows keeps it from shooting that way."""
    rule = battle.rule
    if rule.options.suppressed_reaction == "allowed" or not watcher.suppressions:
        return False
    known = redacted(rule, scope_of(rule), Viewer(sides=(watcher.side,)))
    if known is None:
        raise TypeError("a hidden field of the battle has no default")
    if battle.terms.read_as(Readings).is_walker_followed:
        place = Place(x=cell[0], y=cell[1])
        known = with_combatant(known, mover.id, lambda there: replace(there, place=place))
    return is_arc_barred(known, watcher, mover, cell, due_only=False)
