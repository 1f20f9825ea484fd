"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    # --- the moment and the actor ---------------------------------------------------------------
    Message(
        code="not_your_turn",
        en="It is not the turn of {combatant}[[, but of {turn}]].",
        ru="Сейчас не ход бойца {combatant}[[, а ход бойца {turn}]].",
    ),
    Message(
        code="actor_incapacitated",
        en="{combatant} is unconscious or dead and cannot act.",
        ru="Боец {combatant} без сознания или мёртв и не может действовать.",
    ),
    Message(
        code="no_action_left",
        en="This takes an action that is spent: {needed:term}.",
        ru="Нужное действие уже потрачено: {needed:term}.",
    ),
    Message(
        code="reaction_used",
        en="{combatant} has used its reaction of this round.",
        ru="Боец {combatant} уже потратил реакцию этого раунда.",
    ),
    Message(
        code="nothing_changes",
        en="It is so already.",
        ru="Это уже так.",
    ),
    Message(
        code="no_gravity",
        en="Without gravity one cannot lie down.",
        ru="В невесомости нельзя лечь.",
    ),
    # --- attacks --------------------------------------------------------------------------------
    Message(
        code="unknown_weapon",
        en="The combatant has no weapon '{weapon}'[[; it has {allowed}]].",
        ru="У бойца нет оружия «{weapon}»[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_not_ready",
        en="Weapon '{weapon}' is not ready for this attack[[; ready: {allowed}]].",
        ru="Оружие «{weapon}» не готово к такой атаке[[; готово: {allowed}]].",
    ),
    Message(
        code="unknown_area",
        en="The combatant has no area effect '{area}'[[; it has {allowed}]].",
        ru="У бойца нет эффекта по области «{area}»[[; есть {allowed}]].",
    ),
    Message(
        code="target_is_self",
        en="One cannot attack oneself[[: {target} is the attacker]][[: cell ({x}, {y}) is "
        "the attacker's own]].",
        ru="Нельзя атаковать самого себя[[: {target} и есть атакующий]][[: в клетке ({x}, "
        "{y}) сам атакующий]].",
    ),
    Message(
        code="target_dead",
        en="{target} is dead.",
        ru="Боец {target} уже мёртв.",
    ),
    Message(
        code="target_not_hostile",
        en="{target} is of the same side, {side}: it takes an enemy.",
        ru="Боец {target} — на той же стороне ({side}): нужен противник.",
    ),
    Message(
        code="out_of_reach",
        en="The target is {distance_ft} ft away; the reach is {reach_ft} ft.",
        ru="До цели {distance_ft} фт, а зона досягаемости — {reach_ft} фт.",
    ),
    Message(
        code="out_of_range",
        en="The target is {distance_ft} ft away; the weapon reaches {longest_ft} ft.",
        ru="До цели {distance_ft} фт, оружие бьёт не дальше {longest_ft} фт.",
    ),
    Message(
        code="total_cover",
        en="The target has total cover: there is no line of effect to it.",
        ru="У цели полное укрытие: линии досягаемости до неё нет.",
    ),
    Message(
        code="target_unseen",
        en="The target is not seen: only a cell can be attacked.",
        ru="Цель не видна: можно атаковать только клетку.",
    ),
    Message(
        code="target_is_visible",
        en="Somebody is seen in cell ({x}, {y}): attack that combatant instead.",
        ru="В клетке ({x}, {y}) видно бойца: атаковать нужно его самого.",
    ),
    Message(
        code="target_has_cover",
        en="The target has cover ({grade:term}): no attack out of turn is possible.",
        ru="У цели есть укрытие ({grade:term}): внеочередная атака невозможна.",
    ),
    Message(
        code="bad_corner",
        en="Corner ({x}, {y}) cannot be chosen: it is no corner of the attacker's cells, or the "
        "defender chooses.",
        ru="Угол ({x}, {y}) выбрать нельзя: это не угол клеток атакующего, или выбирает "
        "защищающийся.",
    ),
    # --- movement -------------------------------------------------------------------------------
    Message(
        code="prone_cannot_walk",
        en="A prone combatant moves one cell at most; this path has {steps}.",
        ru="Распластанный боец перемещается не более чем на одну клетку, а шагов в пути {steps}.",
    ),
    Message(
        code="spinning_cannot_move",
        en="Whoever spins cannot move before it has righted itself.",
        ru="Кто вращается, не может перемещаться, пока не выровняется.",
    ),
    Message(
        code="path_not_contiguous",
        en="Step {step} of the path, counted from 0, does not lead to a neighbouring cell.",
        ru="Шаг {step} пути (счёт с нуля) ведёт не в соседнюю клетку.",
    ),
    Message(
        code="off_map",
        en="({x}, {y}) is off the map.",
        ru="({x}, {y}) — за пределами карты.",
    ),
    Message(
        code="cell_impassable",
        en="A wall is in the way to cell ({x}, {y}).",
        ru="На пути в клетку ({x}, {y}) — стена.",
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
)
