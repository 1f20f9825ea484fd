"""What version 3 says in words besides what version 2 says; plain data."""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Definition, Term
from service.rulesets.squad_d100.v2 import RULESET as VERSION_2

ADDED: Final = (
    Definition(
        id="SQ-WAIT-1",
        en="An action that waits for the table's dice is judged again whenever the game master "
        "changes the battle, a walk as a whole from where the walker is now. If it would not be "
        "allowed now it goes no further: nothing of it happens, and its dice count for nothing.",
        ru="Действие, которое ждёт костей стола, судят снова всякий раз, когда ведущий меняет бой, "
        "перемещение — целиком, оттуда, где боец сейчас. Если сейчас оно не было бы разрешено, оно "
        "прекращается: из него не происходит ничего, а брошенные кости не считаются.",
    ),
)
"""Rules that the versions before do not have; they follow SQ-EXP-3."""

STOPS: Final = (
    Term(id="not_your_turn", en="not the combatant's turn", ru="сейчас не его ход"),
    Term(id="combatant_down", en="down", ru="выведен из строя"),
    Term(id="wrong_phase", en="in another phase", ru="в другой фазе хода"),
    Term(id="shooting_phase_lost", en="the shooting phase is lost", ru="фазы стрельбы нет"),
    Term(id="shooting_phase_used", en="the shooting phase is used", ru="фаза стрельбы прошла"),
    Term(id="already_sprinted", en="sprinted already", ru="спринт уже был"),
    Term(id="must_seek_cover", en="it must seek cover", ru="обязан идти в укрытие"),
    Term(id="kneeling_cannot_move", en="kneeling", ru="стоит на колене"),
    Term(id="already_kneeling", en="kneeling already", ru="уже на колене"),
    Term(id="not_kneeling", en="not kneeling", ru="не на колене"),
    Term(id="out_of_map", en="off the map", ru="за пределами карты"),
    Term(id="not_a_step", en="the path has a gap", ru="путь с разрывом"),
    Term(id="cell_blocked", en="nobody can stand there", ru="туда нельзя встать"),
    Term(id="cell_occupied", en="the cell is occupied", ru="клетка занята"),
    Term(id="corner_blocked", en="the corner is closed", ru="угол закрыт"),
    Term(id="not_enough_mp", en="too few movement points", ru="не хватает очков перемещения"),
    Term(id="not_a_door", en="no door there", ru="двери там нет"),
    Term(id="not_adjacent", en="not next to it", ru="не рядом"),
    Term(id="nothing_here", en="nothing to pick up", ru="подбирать нечего"),
    Term(id="unknown_combatant", en="not to be seen", ru="не видно"),
    Term(id="unknown_weapon", en="the weapon is gone", ru="оружия нет"),
    Term(id="weapon_not_automatic", en="not an automatic weapon", ru="оружие не автоматическое"),
    Term(id="same_weapon_twice", en="one weapon named twice", ru="оружие названо дважды"),
    Term(id="weapon_not_dual", en="not a weapon for one hand", ru="не оружие для одной руки"),
    Term(id="bad_target_count", en="not so many targets", ru="столько целей нельзя"),
    Term(id="not_enough_ammo", en="too few rounds", ru="не хватает патронов"),
    Term(id="unknown_target", en="the target is not to be seen", ru="цели не видно"),
    Term(id="target_self", en="the target is the attacker", ru="цель — сам атакующий"),
    Term(id="not_a_target", en="nothing there to shoot at", ru="стрелять там не во что"),
    Term(id="no_line_of_shot", en="no line of shot", ru="нет линии выстрела"),
    Term(id="no_grenade", en="no grenade", ru="нет гранаты"),
    Term(id="out_of_throw_range", en="too far to throw", ru="не добросить"),
    Term(id="no_throw_line", en="no line to throw along", ru="нет линии броска"),
    Term(id="out_of_reach", en="out of reach", ru="не достать"),
    Term(id="no_cell", en="no free cell", ru="нет свободной клетки"),
)
"""Why an action that waited goes no further: a term for each code that has none yet."""

_RULES: Final = with_rules(VERSION_2.catalogue, *ADDED, behind="SQ-EXP-3")

CATALOGUE: Final = replace(_RULES, terms=(*_RULES.terms, *STOPS))
"""The whole catalogue of version 3."""
