"""What version 3 says in words in addition to what version 2 says; plain data."""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Definition, Message, Rule, Term
from service.rulesets.tactical_d20.v2 import RULESET as VERSION_2

RESTATED: Final = (
    Rule(
        id="TD-SOFT-1",
        en="Another living creature whose cell a line crosses gives +4 to armour class against "
        "ranged attacks, by option an unconscious one does not; running along its border does not "
        "count.",
        ru="Другое живое существо, клетку которого пересекает линия, даёт +4 к КБ против "
        "дистанционных атак, по опции — кроме лежащих без сознания; линия вдоль границы его "
        "клетки не считается.",
        source="«Существа, в том числе противники, могут служить укрытием от дистанционных атак»",
    ),
)
"""Rules of version 2 that say more here."""

ADDED: Final = (
    Definition(
        id="TD-WAIT-1",
        en="A walk or a shot that waited for answers continues if it would be allowed now, without "
        "what it has cost and the steps made, on what its asker knows now; nobody is asked again "
        "for what was asked. Otherwise it stops, and what it has done stays.",
        ru="Перемещение или выстрел, ждавшие ответов, продолжаются, если были бы разрешены "
        "сейчас, не считая уже потраченного и пройденного, по тому, что сейчас знает заявивший; "
        "заново никого не спрашивают. Иначе действие прекращается, а сделанное остаётся.",
    ),
    Rule(
        id="TD-WAIT-2",
        en="A walk that waited continues only if the walker is where its last step has led, or "
        "where it began.",
        ru="Перемещение, ждавшее ответов, продолжается, только если боец там, куда привёл "
        "последний шаг, или там, откуда начал.",
    ),
    Definition(
        id="TD-WAIT-3",
        en="Whoever has passed for a walk is not asked again before the further steps of that "
        "walk.",
        ru="Кто пропустил всё перемещение, того перед дальнейшими шагами этого перемещения больше "
        "не спрашивают.",
    ),
)
"""Rules that version 2 does not have; they stand behind TD-SD-4."""

WORDS: Final = (
    Term(id="pass_walk", en="no answer during this walk", ru="без ответа до конца перемещения"),
)
"""Further words of version 3."""

STOPS: Final = (
    Term(id="unknown_combatant", en="no such combatant is known", ru="такой боец неизвестен"),
    Term(id="not_your_turn", en="not its turn", ru="не его ход"),
    Term(id="actor_incapacitated", en="unconscious or dead", ru="без сознания или мёртв"),
    Term(id="no_action_left", en="no action left", ru="нет нужного действия"),
    Term(id="put_elsewhere", en="put elsewhere meanwhile", ru="тем временем оказался не там"),
    Term(id="prone_cannot_walk", en="lying prone", ru="лежит распластанным"),
    Term(id="spinning_cannot_move", en="spinning", ru="вращается"),
    Term(
        id="path_not_contiguous",
        en="the path does not lead on",
        ru="путь не ведёт в соседнюю клетку",
    ),
    Term(id="off_map", en="off the map", ru="за пределами карты"),
    Term(id="cell_impassable", en="a wall is in the way", ru="на пути стена"),
    Term(id="cell_occupied", en="the cell is occupied", ru="клетка занята"),
    Term(id="path_too_long", en="not enough movement left", ru="не хватает перемещения"),
    Term(id="unknown_weapon", en="no such weapon", ru="такого оружия нет"),
    Term(id="weapon_not_ready", en="the weapon is not ready", ru="оружие не готово"),
    Term(id="unknown_area", en="no such area effect", ru="такого эффекта по области нет"),
    Term(id="target_is_self", en="aimed at itself", ru="цель — сам боец"),
    Term(id="target_dead", en="the target is dead", ru="цель мертва"),
    Term(id="target_not_hostile", en="the target is no enemy", ru="цель не противник"),
    Term(id="out_of_reach", en="out of reach", ru="цель вне зоны досягаемости"),
    Term(id="out_of_range", en="out of range", ru="цель вне дальности"),
    Term(id="target_unseen", en="the target is not seen", ru="цель не видна"),
    Term(id="target_is_visible", en="somebody is seen there", ru="там видно бойца"),
    Term(id="bad_corner", en="the corner cannot be chosen", ru="этот угол выбрать нельзя"),
)
"""Why an action that waited goes no further, in the words of `action_stopped`."""

MESSAGES: Final = (
    Message(
        code="put_elsewhere",
        en="The combatant is at ({x}, {y}), not where its last step led.",
        ru="Боец в клетке ({x}, {y}), а не там, куда привёл последний шаг.",
    ),
)
"""What the refusals say that version 2 does not have."""

CATALOGUE: Final = replace(
    with_rules(VERSION_2.catalogue, *RESTATED, *ADDED, behind="TD-SD-4"),
    terms=(*VERSION_2.catalogue.terms, *WORDS, *STOPS),
    messages=(*VERSION_2.catalogue.messages, *MESSAGES),
)
"""The whole catalogue of version 3."""
