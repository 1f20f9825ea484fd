"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    Message(
        code="not_your_turn",
        en="It is not the turn of {combatant}[[, but of {turn}]].",
        ru="Сейчас не ход бойца {combatant}[[, а ход бойца {turn}]].",
    ),
    Message(
        code="actor_incapacitated",
        en="{combatant} is helpless or dead and cannot act.",
        ru="Боец {combatant} беспомощен или мёртв и не может действовать.",
    ),
    Message(
        code="no_actions_left",
        en="{combatant} has no actions left in this turn.",
        ru="У бойца {combatant} в этом ходу действий больше нет.",
    ),
    Message(
        code="unknown_weapon",
        en="The combatant has no weapon '{weapon}'[[; it has {allowed}]].",
        ru="У бойца нет оружия «{weapon}»[[; есть {allowed}]].",
    ),
    Message(
        code="wrong_weapon_kind",
        en="Weapon '{weapon}' attacks {kind:term}, and this attack is made {needed:term}"
        "[[; possible: {allowed}]].",
        ru="Оружием «{weapon}» атакуют {kind:term}, эта атака — {needed:term}[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_not_ready",
        en="Weapon '{weapon}' is not ready: it is not loaded or not in hand[[; ready: {allowed}]].",
        ru="Оружие «{weapon}» не готово: не заряжено или не в руках[[; готово: {allowed}]].",
    ),
    Message(
        code="target_is_self",
        en="{target} cannot be its own target: name somebody else.",
        ru="Боец {target} не может быть собственной целью: назовите другого.",
    ),
    Message(
        code="target_not_hostile",
        en="{target} is of the same side, {side}: it takes an enemy.",
        ru="Боец {target} — на той же стороне ({side}): нужен противник.",
    ),
    Message(
        code="target_dead",
        en="{target} is dead.",
        ru="Боец {target} уже мёртв.",
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
