"""How an attack that is made ends: its dice in the order d20, d%, damage, and what they do.

How this works. The asker's view has allowed the attack; here it happens in the battle as it is. If
only hidden walls close its line it is `obstructed`, no die is drawn and the walls become known.
Dice go to those who may know of the attacker and of whom they are for. At a guessed cell the d20 is
everybody's who may know of the attacker, and the d% the game master's, drawn after every d20 but a
natural 1: so neither faces nor questions for them tell whether anybody is there (TD-UNSEEN-3).
"""

from msgspec import UNSET, UnsetType

from service.engine.dice.dice import Dice
from service.engine.kit.streams import stream_for
from service.engine.visibility.streams import GM_STREAM
from service.engine.vocabulary.breakdown import total
from service.engine.vocabulary.rolls import discounted
from service.engine.vocabulary.values import Place, Roll
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.deciding.aim import Aim, aim_into
from service.rulesets.tactical_d20.deciding.attack_line import Found, found_in
from service.rulesets.tactical_d20.deciding.attack_modifiers import Weight, attack_lines, weigh
from service.rulesets.tactical_d20.deciding.damage import roll_harm, wound
from service.rulesets.tactical_d20.deciding.discovery import is_obstructed, meet_walls, reveal
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.rules.concealment import TD_CONC_3, is_missed
from service.rulesets.tactical_d20.rules.defaults import D20, D100, TD_SD_2, attack_outcome
from service.rulesets.tactical_d20.rules.reports import ground_part
from service.rulesets.tactical_d20.rules.unseen import (
    TD_UNSEEN_3,
    draws_miss_chance,
)
from service.rulesets.tactical_d20.rules.words import Outcome
from service.rulesets.tactical_d20.state import BattleState


def reveal_attacker(effects: BattleEffects, attacker: str) -> None:
    """Whoever attacks becomes known to all, unless the table says otherwise (2.1)."""
    if effects.rule.options.attack_reveals:
        reveal(effects, attacker, "attack")


def strike(resolution: Resolution, aim: Aim) -> None:
    """An attack on a target, from its line to what it does; its cost is spent already."""
    effects = resolution.effects
    target = aim.target
    if target is None:
        raise ValueError("an attack on nobody is one at a cell")
    if is_obstructed(effects.state, aim):
        _obstructed(effects, aim)
        return
    weight = weigh(effects.state, aim, target)
    stream = stream_for(effects.rule, aim.attacker.id, target.id)
    roll = _d20(aim, stream, resolution.dice)
    outcome: Outcome = attack_outcome(roll.total, weight.bonus, weight.ac)
    miss_chance: Roll | UnsetType = UNSET
    if outcome != "miss" and weight.concealment.percent:
        miss_chance = resolution.dice.roll(
            1, D100, "miss_chance", stream=stream, combatant=target.id
        )
        if is_missed(weight.concealment.percent, miss_chance.total):
            outcome = "miss_concealment"
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        defence=aim.weapon.targets,
        opportunity=aim.is_opportunity,
        distance_ft=aim.distance_ft,
        roll=roll,
        base=weight.base,
        breakdown=weight.breakdown,
        pool=weight.bonus,
        result=roll.total + weight.bonus,
        against=own.Against(
            target=target.id,
            base=weight.base_ac,
            breakdown=weight.ac_breakdown,
            needed=weight.ac,
        ),
        cover=weight.cover,
        concealment=weight.concealment,
        flanking=weight.flanking or UNSET,
        miss_chance=miss_chance,
    )
    rule = TD_CONC_3 if outcome == "miss_concealment" else TD_SD_2
    effects.emit(own.AttackResolved(rule=rule, target=target.id, outcome=outcome, detail=detail))
    _hurt(resolution, aim, target.id, outcome)


def strike_cell(resolution: Resolution, aim: Aim) -> None:
    """An attack at a cell, whoever may be there (TD-UNSEEN-3); its cost is spent already."""
    effects = resolution.effects
    if is_obstructed(effects.state, aim):
        _obstructed(effects, aim)
        return
    roll = _d20(aim, stream_for(effects.rule, aim.attacker.id), resolution.dice)
    miss_chance: Roll | UnsetType = UNSET
    if draws_miss_chance(roll.total):
        miss_chance = resolution.dice.roll(
            1, D100, "miss_chance", stream=GM_STREAM, combatant=aim.attacker.id
        )
    found = found_in(effects.state, aim)
    if found is None or found.cover is not None:
        effects.emit(_at_cell(effects.rule, aim, roll, _missed_cell(found, miss_chance)))
        return
    there = found.creature
    into = aim_into(aim, there)
    guess = _guess(weigh(effects.state, into, there), there.id, roll, miss_chance)
    effects.emit(_at_cell(effects.rule, aim, roll, guess))
    if guess.outcome in ("hit", "critical"):
        reveal(effects, there.id, "attack")
        _hurt(resolution, aim, there.id, guess.outcome)


def _d20(aim: Aim, stream: int, dice: Dice) -> Roll:
    return dice.roll(1, D20, "attack", stream=stream, combatant=aim.attacker.id)


def _missed_cell(found: Found | None, miss_chance: Roll | UnsetType) -> own.Guess:
    """What comes of an attack at a cell with nobody in it, or nobody whom it can attack."""
    return own.Guess(
        target=UNSET if found is None else found.creature.id,
        outcome="miss",
        cover=UNSET if found is None or found.cover is None else found.cover,
        miss_chance=_unread(miss_chance),
    )


def _unread(miss_chance: Roll | UnsetType) -> Roll | UnsetType:
    return UNSET if miss_chance is UNSET else discounted(miss_chance, "unread")


def _guess(weight: Weight, target: str, roll: Roll, miss_chance: Roll | UnsetType) -> own.Guess:
    """What comes of an attack at a cell on whoever is there: the d% is read on a hit alone."""
    outcome: Outcome = attack_outcome(roll.total, weight.bonus, weight.ac)
    if outcome == "miss":
        miss_chance = _unread(miss_chance)
    elif miss_chance is not UNSET and is_missed(weight.concealment.percent, miss_chance.total):
        outcome = "miss_concealment"
    return own.Guess(
        target=target,
        outcome=outcome,
        needed=weight.ac,
        base=weight.base_ac,
        pool=weight.bonus,
        attack_breakdown=weight.breakdown,
        breakdown=weight.ac_breakdown,
        cover=weight.cover,
        concealment=weight.concealment,
        flanking=weight.flanking or UNSET,
        miss_chance=miss_chance,
    )


def _at_cell(rule: BattleState, aim: Aim, roll: Roll, guess: own.Guess) -> own.AttackResolved:
    """An attack at a cell as everybody sees it: the modifiers are those of the attack alone."""
    lines = attack_lines(rule, aim, None)
    pool = aim.weapon.attack_bonus + total(lines)
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        defence=aim.weapon.targets,
        distance_ft=aim.distance_ft,
        roll=roll,
        base=aim.weapon.attack_bonus,
        breakdown=lines,
        pool=pool,
        result=roll.total + pool,
    )
    return own.AttackResolved(
        rule=TD_UNSEEN_3,
        place=Place(x=aim.at.x, y=aim.at.y),
        outcome="miss" if guess.outcome == "miss_concealment" else guess.outcome,
        detail=detail,
        guess=guess,
    )


def _obstructed(effects: BattleEffects, aim: Aim) -> None:
    """Something hidden is in the way: no die is drawn, and the walls that were met are known."""
    met = meet_walls(effects, aim)
    detail = own.Detail(
        attacker=aim.attacker.id,
        item=aim.weapon.id,
        mode=aim.mode,
        opportunity=aim.is_opportunity,
        distance_ft=aim.distance_ft,
        obstructed_by=tuple(map(ground_part, met)),
    )
    effects.emit(
        own.AttackResolved(
            target=UNSET if aim.target is None else aim.target.id,
            place=Place(x=aim.at.x, y=aim.at.y) if aim.is_guess else UNSET,
            outcome="obstructed",
            detail=detail,
        )
    )


def _hurt(resolution: Resolution, aim: Aim, victim: str, outcome: Outcome) -> None:
    """The damage of a hit: its dice are for those who may know of both."""
    effects = resolution.effects
    if outcome not in ("hit", "critical"):
        return
    stream = stream_for(effects.rule, aim.attacker.id, victim)
    harm = roll_harm(aim.weapon.damage, outcome, aim.attacker.id, stream, resolution.dice)
    wound(effects, victim, harm, aim.attacker.id, aim.weapon.id)
