"""What version 2 says in words besides what version 1 says; plain data."""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Definition, Term
from service.rulesets.crossfire_d6 import RULESET as VERSION_1

ADDED: Final = (
    Definition(
        id="CF-WAIT-1",
        en="An action that waits for the table's dice is judged again whenever the game master "
        "changes the battle. If it would not be allowed now it goes no further: nothing of it "
        "happens, and its dice count for nothing.",
        ru="Действие, которое ждёт костей стола, судят снова всякий раз, когда ведущий меняет бой. "
        "Если сейчас оно не было бы разрешено, оно прекращается: из него не происходит ничего, а "
        "брошенные кости не считаются.",
    ),
)
"""Rules that version 1 does not have; they follow CF-SD-4."""

STOPS: Final = (
    Term(id="not_your_turn", en="not the combatant's turn", ru="сейчас не его ход"),
    Term(id="actor_incapacitated", en="helpless or dead", ru="беспомощен или мёртв"),
    Term(id="no_actions_left", en="no actions left", ru="действий больше нет"),
    Term(id="unknown_combatant", en="not to be seen", ru="не видно"),
    Term(id="unknown_weapon", en="the weapon is gone", ru="оружия нет"),
    Term(id="wrong_weapon_kind", en="the weapon attacks otherwise", ru="не то оружие"),
    Term(id="weapon_not_ready", en="the weapon is not ready", ru="оружие не готово"),
    Term(id="target_is_self", en="the target is the attacker", ru="цель — сам атакующий"),
    Term(id="target_not_hostile", en="the target is no enemy", ru="цель — не противник"),
    Term(id="target_dead", en="the target is dead", ru="цель мертва"),
    Term(id="out_of_range", en="out of range", ru="слишком далеко для оружия"),
    Term(id="out_of_reach", en="out of reach", ru="не достать"),
    Term(id="attacker_is_blocked", en="blocked towards the target", ru="заблокирован к цели"),
    Term(id="line_of_sight_blocked", en="no line of sight", ru="линия обзора закрыта"),
    Term(id="outside_arc", en="outside the arc", ru="вне сектора обзора"),
    Term(id="no_cover_here", en="no cover here", ru="здесь нет укрытия"),
    Term(id="nothing_changes", en="nothing would change", ru="ничего не изменилось бы"),
    Term(id="nothing_to_hide", en="nothing to hide from", ru="скрываться не от чего"),
    Term(id="path_not_contiguous", en="the path has a gap", ru="путь с разрывом"),
    Term(id="off_map", en="off the map", ru="за пределами карты"),
    Term(id="cell_impassable", en="the cell is impassable", ru="клетка непроходима"),
    Term(id="diagonal_blocked", en="the corner is closed", ru="угол закрыт"),
    Term(id="cell_occupied", en="the cell is occupied", ru="клетка занята"),
    Term(id="path_too_long", en="the path is too long", ru="путь слишком длинный"),
    Term(id="prone_cannot_walk", en="prone", ru="лежит"),
    Term(id="option_disabled", en="not in this battle", ru="в этом бою так нельзя"),
)
"""Why an action that waited goes no further: a term for each code."""

_RULES: Final = with_rules(VERSION_1.catalogue, *ADDED, behind="CF-SD-4")

CATALOGUE: Final = replace(_RULES, terms=(*_RULES.terms, *STOPS))
"""The whole catalogue of version 2."""
