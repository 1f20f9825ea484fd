"""The modifiers of an attack in the order of the breakdowns, with the reports they come from.

What does not count. Ground that only the game master knows gives neither cover nor concealment,
and a creature is living cover or a flanking partner only if all who may know of the attack may
know of it. So what everybody sees rolled never depends on a secret (default, not in the seed).
"""

from msgspec import Struct

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary.breakdown import Modifier, total
from service.rulesets.tactical_d20.creatures import (
    attack_audience,
    concealment_override_of,
    counting,
    cover_override_of,
    elevation_of,
    fighter_of,
    fighters_of,
    known_to,
    lines_of,
    space_of,
)
from service.rulesets.tactical_d20.deciding.aim import Aim
from service.rulesets.tactical_d20.ground import public_ground
from service.rulesets.tactical_d20.rules.concealment import concealment_against
from service.rulesets.tactical_d20.rules.cover import cover_against, cover_lines
from service.rulesets.tactical_d20.rules.defaults import range_modifier
from service.rulesets.tactical_d20.rules.flanking import flanking_modifier, flanking_report
from service.rulesets.tactical_d20.rules.geometry import are_adjacent
from service.rulesets.tactical_d20.rules.ground import Fighter
from service.rulesets.tactical_d20.rules.prone import (
    prone_attack_modifier,
    prone_target_modifier,
    spinning_modifier,
)
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    CoverReport,
    FlankingReport,
)
from service.rulesets.tactical_d20.rules.unseen import guessed
from service.rulesets.tactical_d20.state import BattleState, Combatant


class Weight(Struct, frozen=True, kw_only=True):
    """An attack on a target ready to be rolled: both breakdowns, and the reports behind them.

    `bonus` is added to the d20, `ac` has to be reached; `base` and `base_ac` are where the
    breakdowns begin.
    """

    base: int
    breakdown: tuple[Modifier, ...]
    bonus: int
    base_ac: int
    ac_breakdown: tuple[Modifier, ...]
    ac: int
    cover: CoverReport
    concealment: ConcealmentReport
    flanking: FlankingReport | None


def weigh(battle: State[BattleState], aim: Aim, target: Combatant) -> Weight:
    """The breakdowns of an attack on a target, which for a guessed cell is who is there."""
    cover = cover_of(battle, aim, target)
    flanking = _flanking(battle, aim, target)
    lines = attack_lines(battle.rule, aim, flanking)
    base_ac = target.ac.eac if aim.weapon.targets == "eac" else target.ac.kac
    ac_lines = _ac_lines(battle.rule, aim, target, cover)
    return Weight(
        base=aim.weapon.attack_bonus,
        breakdown=lines,
        bonus=aim.weapon.attack_bonus + total(lines),
        base_ac=base_ac,
        ac_breakdown=ac_lines,
        ac=base_ac + total(ac_lines),
        cover=cover,
        concealment=_concealment(battle, aim, target),
        flanking=flanking,
    )


def attack_lines(
    rule: BattleState, aim: Aim, flanking: FlankingReport | None
) -> tuple[Modifier, ...]:
    """The breakdown of the attack roll; without flanking, it depends on the attacker alone."""
    conditions, options = aim.attacker.conditions, rule.options
    increment_ft = aim.weapon.range_increment_ft
    return _present(
        range_modifier(aim.distance_ft, increment_ft, options.range_increment_penalty)
        if aim.mode == "ranged" and isinstance(increment_ft, int)
        else None,
        None if flanking is None else flanking_modifier(flanking),
        prone_attack_modifier(aim.mode, is_prone="prone" in conditions),
        spinning_modifier(options.spinning_attack, is_spinning="spinning" in conditions),
    )


def _ac_lines(
    rule: BattleState, aim: Aim, target: Combatant, cover: CoverReport
) -> tuple[Modifier, ...]:
    conditions = target.conditions
    return _present(
        *cover_lines(cover),
        prone_target_modifier(aim.mode, is_prone="prone" in conditions),
        spinning_modifier(rule.options.spinning_ac, is_spinning="spinning" in conditions),
    )


def _present(*lines: Modifier | None) -> tuple[Modifier, ...]:
    return tuple([line for line in lines if line is not None])


def cover_of(battle: State[BattleState], aim: Aim, target: Combatant) -> CoverReport:
    """The target's cover from the attacker, as everybody who may know of the attack knows it."""
    pair = (aim.attacker.id, target.id)
    return cover_against(
        public_ground(battle),
        space_of(aim.attacker),
        space_of(target),
        tuple([each for each in _counting(battle.rule, aim) if each.id not in pair]),
        mode=aim.mode,
        height_ft=target.height_ft,
        options=lines_of(battle.rule),
        corner=aim.cover_corner,
        override=cover_override_of(target, aim.attacker.id),
    )


def _flanking(battle: State[BattleState], aim: Aim, target: Combatant) -> FlankingReport | None:
    rule = battle.rule
    if aim.mode == "ranged":
        return None
    return flanking_report(
        public_ground(battle),
        fighter_of(rule, aim.attacker),
        fighter_of(rule, target),
        _counting(rule, aim),
        lines_of(rule),
    )


def _concealment(battle: State[BattleState], aim: Aim, target: Combatant) -> ConcealmentReport:
    near, far = space_of(aim.attacker), space_of(target)
    is_adjacent_melee = aim.mode == "melee" and are_adjacent(
        near, elevation_of(aim.attacker), far, elevation_of(target)
    )
    report = concealment_against(
        public_ground(battle),
        near,
        far,
        is_adjacent_melee=is_adjacent_melee,
        senses=aim.attacker.senses,
        blur_pct=target.blur_pct,
        options=lines_of(battle.rule),
        corner=aim.concealment_corner,
        override=concealment_override_of(target, aim.attacker.id),
    )
    return guessed(report, battle.rule.options.unseen_pct) if aim.is_guess else report


def _counting(rule: BattleState, aim: Aim) -> tuple[Fighter, ...]:
    """Everybody whom all who may know of the attack may know, by number."""
    return counting(rule, fighters_of(rule), _audience(rule, aim))


def _audience(rule: BattleState, aim: Aim) -> str:
    """Who may know of an attack; whoever may be in a guessed cell makes no difference to it."""
    if aim.target is None or aim.is_guess:
        is_shown = rule.options.attack_reveals
        return EVERYONE_WORD if is_shown else known_to(existing(rule, aim.attacker.id))
    return attack_audience(rule, aim.attacker.id, aim.target.id)
