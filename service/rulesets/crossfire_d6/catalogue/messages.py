"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    Message(
        code="not_your_turn",
        en="It is not this combatant's turn.",
        ru="Сейчас не ход этого бойца.",
    ),
    Message(
        code="actor_incapacitated",
        en="A helpless or dead combatant cannot act.",
        ru="Беспомощный или мёртвый боец не может действовать.",
    ),
    Message(
        code="no_actions_left",
        en="No actions are left this turn.",
        ru="В этом ходу действий больше нет.",
    ),
    Message(
        code="unknown_weapon",
        en="The combatant has no such weapon.",
        ru="У бойца нет такого оружия.",
    ),
    Message(
        code="wrong_weapon_kind",
        en="This weapon is not made for this kind of attack.",
        ru="Это оружие не годится для такой атаки.",
    ),
    Message(
        code="weapon_not_ready",
        en="The weapon is not ready: it is not loaded or not in hand.",
        ru="Оружие не готово: не заряжено или не в руках.",
    ),
    Message(
        code="target_is_self",
        en="One cannot attack oneself.",
        ru="Нельзя атаковать самого себя.",
    ),
    Message(
        code="target_not_hostile",
        en="That combatant is not an enemy.",
        ru="Этот боец — не противник.",
    ),
    Message(
        code="target_dead",
        en="The target is dead.",
        ru="Цель мертва.",
    ),
    Message(
        code="out_of_range",
        en="The target is {distance_ft} ft away; the weapon reaches {longest_ft} ft.",
        ru="До цели {distance_ft} фт, оружие бьёт не дальше {longest_ft} фт.",
    ),
    Message(
        code="out_of_reach",
        en="The target is {distance_ft} ft away; the weapon reaches {reach_ft} ft.",
        ru="До цели {distance_ft} фт, оружие достаёт на {reach_ft} фт.",
    ),
    Message(
        code="attacker_is_blocked",
        en="The attacker is blocked behind his own cover and would have to change his posture "
        "first.",
        ru="Атакующий заблокирован за собственным укрытием: сначала нужно сменить позу.",
    ),
    Message(
        code="line_of_sight_blocked",
        en="There is no line of sight to the target.",
        ru="Линия обзора до цели перекрыта.",
    ),
    Message(
        code="outside_arc",
        en="The target is outside the weapon's arc.",
        ru="Цель вне сектора оружия.",
    ),
    Message(
        code="no_cover_here",
        en="Nothing adjacent to cell ({x}, {y}) gives cover.",
        ru="Рядом с клеткой ({x}, {y}) нет ничего, что дало бы укрытие.",
    ),
    Message(
        code="nothing_changes",
        en="It is so already.",
        ru="Это уже так.",
    ),
    Message(
        code="nothing_to_hide",
        en="That enemy does not suppress you: there is nobody to hide from.",
        ru="Этот противник вас не подавляет: скрываться не от кого.",
    ),
    Message(
        code="path_not_contiguous",
        en="Step {step} of the path, counted from 0, does not lead to a neighbouring cell.",
        ru="Шаг {step} пути (счёт с нуля) ведёт не в соседнюю клетку.",
    ),
    Message(
        code="off_map",
        en="Cell ({x}, {y}) is off the map.",
        ru="Клетка ({x}, {y}) за пределами карты.",
    ),
    Message(
        code="cell_impassable",
        en="Something solid is in the way to cell ({x}, {y}).",
        ru="На пути в клетку ({x}, {y}) — стена.",
    ),
    Message(
        code="diagonal_blocked",
        en="The diagonal step to cell ({x}, {y}) would cut a solid corner.",
        ru="Шаг по диагонали в клетку ({x}, {y}) срезал бы угол стены.",
    ),
    Message(
        code="cell_occupied",
        en="Cell ({x}, {y}) is occupied.",
        ru="Клетка ({x}, {y}) занята.",
    ),
    Message(
        code="path_too_long",
        en="The path is {length_ft} ft long; the combatant moves up to {longest_ft} ft.",
        ru="Длина пути {length_ft} фт, боец проходит не больше {longest_ft} фт.",
    ),
    Message(
        code="prone_cannot_walk",
        en="A prone combatant moves one cell at most; this path has {steps}.",
        ru="Лежачий боец перемещается не более чем на одну клетку, а шагов в пути {steps}.",
    ),
    Message(
        code="option_disabled",
        en="Not allowed in this encounter: {option:term}.",
        ru="В этом бою не разрешено: {option:term}.",
    ),
)
