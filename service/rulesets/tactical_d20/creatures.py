"""Combatants as the rules see them, and what a side may know of a battle.

What does not count. A combatant is living cover or a flanking partner only if all who may know of
the attack may know of it, so what everyone sees never depends on a secret (default, not in the
source text).
"""

from operator import attrgetter
from typing import Final

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import MOST_ENTRIES, scope_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import narrow
from service.rulesets.tactical_d20.rules.ground import Fighter
from service.rulesets.tactical_d20.rules.words import CoverGrade, LineOptions
from service.rulesets.tactical_d20.state import BattleState, Combatant, Options, is_dead
from service.rulesets.tactical_d20.weapons import Weapon

_OUTLINE: Final = attrgetter("place", "conditions", "side", "size", "reach_ft", "weapons")
"""What of a combatant its `Fighter` is made of."""


def space_of(combatant: Combatant) -> Space:
    """The cells it occupies."""
    return Space(combatant.place.x, combatant.place.y, combatant.size)


def elevation_of(combatant: Combatant) -> int:
    """Its elevation in feet, 0 unless stated."""
    return 0 if combatant.place.elevation is UNSET else combatant.place.elevation


def weapon_reach(combatant: Combatant, weapon: Weapon) -> int:
    """How far it strikes with a melee weapon, in feet: its own reach where the weapon states none.

    0 with a ranged weapon.
    """
    if weapon.kind == "ranged":
        return 0
    return combatant.reach_ft if weapon.reach_ft is UNSET else weapon.reach_ft


def greatest_reach(combatant: Combatant) -> int:
    """The greatest reach of its ready melee weapons in feet; 0 without any."""
    return max(
        (weapon_reach(combatant, each) for each in combatant.weapons if each.ready), default=0
    )


def fighter_of(rule: BattleState, combatant: Combatant) -> Fighter:
    """A combatant as the rules see it.

    It is the same object as long as none of its values changes: other lookups compare by it.
    """
    fighters = rule.lookups.fighters
    before = fighters.get(combatant.id)
    if before is not None:
        earlier, fighter = before
        if earlier is combatant:
            return fighter
        if _OUTLINE(earlier) != _OUTLINE(combatant):
            fighter = _fighter(combatant)
    else:
        if len(fighters) >= MOST_ENTRIES:
            fighters.clear()
        fighter = _fighter(combatant)
    fighters[combatant.id] = (combatant, fighter)
    return fighter


def _fighter(combatant: Combatant) -> Fighter:
    return Fighter(
        id=combatant.id,
        side=combatant.side,
        space=space_of(combatant),
        elevation_ft=elevation_of(combatant),
        reach_ft=greatest_reach(combatant),
        is_out=is_out(combatant),
        is_dead=is_dead(combatant),
    )


def fighters_of(rule: BattleState) -> tuple[Fighter, ...]:
    """All fighters, in the order of entry; the same tuple as long as none of them changes."""
    fighters = tuple([fighter_of(rule, each) for each in rule.combatants])
    crowds = rule.lookups.crowds
    return crowds.find(None, fighters) or crowds.keep(None, fighters, fighters)


def lines_of(rule: BattleState) -> LineOptions:
    """The options of a battle about lines, light and flanking."""
    lines, inputs = rule.lookups.lines, (rule.options,)
    return lines.find(None, inputs) or lines.keep(None, inputs, line_options(rule.options))


def line_options(options: Options) -> LineOptions:
    """The encounter's options about lines, light and flanking."""
    return LineOptions(
        diagonal_rule=options.diagonal_rule,
        border_contact=options.border_contact,
        partial_cover_method=options.partial_cover_method,
        concealment_corner_chooser=options.concealment_corner_chooser,
        soft_cover_vs_melee=options.soft_cover_vs_melee,
        low_obstacle_range_ft=options.low_obstacle_range_ft,
        light_on_line=options.light_on_line,
        default_concealment_pct=options.default_concealment_pct,
        flank_partner=options.flank_partner,
        flank_partner_side=options.flank_partner_side,
        fallen_give_cover=options.do_fallen_give_cover,
    )


def cover_override_of(target: Combatant, attacker: str) -> CoverGrade | None:
    """The game master's word on the cover of a target against an attacker (TD-COVER-8)."""
    return next((each.grade for each in target.cover_overrides if each.versus == attacker), None)


def concealment_override_of(target: Combatant, attacker: str) -> int | None:
    """The game master's word on its concealment from an attacker, in per cent (TD-CONC-7)."""
    words = target.concealment_overrides
    return next((each.percent for each in words if each.versus == attacker), None)


def those_in(rule: BattleState, cell: Cell) -> tuple[Combatant, ...]:
    """Everybody, bodies included, whose space holds the cell, in the order of entry."""
    x, y = cell
    return tuple(
        [
            each
            for each in rule.combatants
            if 0 <= x - each.place.x < each.size and 0 <= y - each.place.y < each.size
        ]
    )


def are_hostile(combatant: Combatant, other: Combatant) -> bool:
    """Whether two combatants are of different sides."""
    return combatant.side != other.side


def known_to(combatant: Combatant) -> str:
    """Who may know of a combatant: everyone, its side while it is hidden."""
    return combatant.side if combatant.hidden else EVERYONE_WORD


def is_known_to_side(combatant: Combatant, side: str) -> bool:
    """Whether a side may know of a combatant."""
    return not combatant.hidden or combatant.side == side


def counting(rule: BattleState, fighters: tuple[Fighter, ...], attack: str) -> tuple[Fighter, ...]:
    """Those of the fighters of whom all who may know of an attack (its audience) may know."""
    if not any(each.hidden for each in rule.combatants):
        return fighters
    scope = scope_of(rule)
    return tuple([each for each in fighters if narrow(attack, scope.subject(each.id)) == attack])


def attack_audience(rule: BattleState, attacker: str, target: str) -> str:
    """Who may know of an attack and sees its dice; attacking reveals unless the table says not."""
    is_shown = rule.options.attack_reveals
    doer = EVERYONE_WORD if is_shown else known_to(existing(rule, attacker))
    return narrow(doer, known_to(existing(rule, target)))
