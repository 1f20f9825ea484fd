"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    # --- the moment and the actor -----------------------------------------------------------
    Message(
        code="not_your_turn",
        en="It is not the turn of {combatant}[[, but of {turn}]].",
        ru="Сейчас очередь не бойца {combatant}[[, а бойца {turn}]].",
    ),
    Message(
        code="actor_incapacitated",
        en="{combatant} is unconscious or dead and cannot act.",
        ru="Боец {combatant} без сознания или мёртв и не может действовать.",
    ),
    Message(
        code="action_spent",
        en="{combatant} has spent its action of this round.",
        ru="Боец {combatant} уже потратил действие этого хода.",
    ),
    Message(
        code="held",
        en="Not possible while held: {action:term}. Possible: {allowed:term}.",
        ru="В захвате нельзя: {action:term}. Можно только: {allowed:term}.",
    ),
    Message(
        code="holding_target",
        en="While {held} is held, one acts against nobody else and takes no step. Not possible: "
        "{action:term}. Possible: {allowed:term}; attacks at {held} only.",
        ru="Удерживая бойца {held}, нельзя ни действовать против других, ни сходить с места. Так "
        "нельзя: {action:term}. Можно: {allowed:term}; атаковать — только бойца {held}.",
    ),
    Message(
        code="deck_exhausted",
        en="{wanted} cards are needed and {left} are left in the deck.",
        ru="Нужно карт: {wanted}, а в колоде осталось {left}.",
    ),
    # --- attacks ----------------------------------------------------------------------------
    Message(
        code="unknown_weapon",
        en="The combatant has no weapon '{weapon}' at hand[[; it has {allowed}]].",
        ru="У бойца нет под рукой оружия «{weapon}»[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_sample",
        en="[[{path}: ]]the set of weapons and armour has no sample '{sample}'"
        "[[; it has {allowed}]].",
        ru="[[{path}: ]]в наборе оружия и брони нет образца «{sample}»[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_incomplete",
        en="Weapon '{weapon}' must have either damage or lethality, and only one of them.",
        ru="У оружия «{weapon}» должен быть либо урон, либо смертельность, но не то и другое.",
    ),
    Message(
        code="invalid_field",
        en="This does not go with the weapon: {field:term}[[. Possible: {allowed:term}]].",
        ru="С этим оружием не сочетается: {field:term}[[. Можно: {allowed:term}]].",
    ),
    Message(
        code="bad_shots",
        en="One attack fires {fewest} to {most} rounds, not {shots}.",
        ru="Одна атака — от {fewest} до {most} выстрелов, а не {shots}.",
    ),
    Message(
        code="no_ammo",
        en="Weapon '{weapon}' has {left} rounds left and the attack takes {shots}.",
        ru="В оружии «{weapon}» осталось патронов: {left}, а для атаки нужно {shots}.",
    ),
    Message(
        code="unknown_target",
        en="There is no target '{target}'[[; there are {allowed}]].",
        ru="Цели «{target}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="target_self",
        en="One cannot attack oneself.",
        ru="Нельзя атаковать самого себя.",
    ),
    Message(
        code="target_dead",
        en="{target} is dead.",
        ru="Боец {target} уже мёртв.",
    ),
    Message(
        code="out_of_reach",
        en="The target is {distance_m} m away, out of reach hand to hand.",
        ru="До цели {distance_m} м: в ближнем бою не достать.",
    ),
    Message(
        code="out_of_range",
        en="The target is {distance_m} m away; the weapon reaches {longest_m} m.",
        ru="До цели {distance_m} м, оружие бьёт не дальше {longest_m} м.",
    ),
    Message(
        code="bad_radius",
        en="The weapon cannot have a radius of {radius} m[[; {smallest} to {largest} m are "
        "possible]].",
        ru="Радиус {radius} м этому оружию недоступен[[; можно от {smallest} до {largest} м]].",
    ),
    Message(
        code="bad_body_part",
        en="One cannot aim there. Possible: {allowed:term}.",
        ru="Целить сюда нельзя. Можно: {allowed:term}.",
    ),
    Message(
        code="part_not_exposed",
        en="The cover hides this part of the body: {part:term}[[. Exposed: {allowed:term}]].",
        ru="Укрытие закрывает эту часть тела: {part:term}[[. Открыто: {allowed:term}]].",
    ),
    Message(
        code="no_free_hand",
        en="Free hands: {free_hands}; disarming needs {needed}.",
        ru="Свободных рук: {free_hands}, а для обезоруживания нужно {needed}.",
    ),
    Message(
        code="nothing_held",
        en="The target holds no '{item}'[[; it holds {allowed}]].",
        ru="В руках у цели нет предмета «{item}»[[; есть {allowed}]].",
    ),
    Message(
        code="already_held",
        en="{target} is held already.",
        ru="Боец {target} уже в захвате.",
    ),
    # --- answers ----------------------------------------------------------------------------
    Message(
        code="weapon_not_melee",
        en="Weapon '{weapon}' is not one to resist with: that takes melee weapons or bare hands.",
        ru="Оружием «{weapon}» не сопротивляются: нужно оружие ближнего боя или голые руки.",
    ),
    Message(
        code="reaction_not_possible",
        en="This attack cannot be answered so: {choice:term}. Possible: {allowed:term}.",
        ru="На эту атаку так ответить нельзя: {choice:term}. Можно: {allowed:term}.",
    ),
    Message(
        code="no_cover_in_reach",
        en="Cover '{cover}' is not within {longest_m} m.",
        ru="Укрытия «{cover}» нет в пределах {longest_m} м.",
    ),
    Message(
        code="bad_cover_destination",
        en="({x}, {y}) must be at most {longest_m} m away (it is {length_m} m) and behind cover "
        "'{cover}'.",
        ru="До ({x}, {y}) должно быть не больше {longest_m} м (сейчас {length_m} м), и эта точка "
        "должна быть за укрытием «{cover}».",
    ),
    # --- movement and holds -----------------------------------------------------------------
    Message(
        code="too_far",
        en="The way is {length_m} m long; the limit ({gait:term}) is {longest_m} m.",
        ru="Путь длиной {length_m} м, а {gait:term} — не дальше {longest_m} м.",
    ),
    Message(
        code="step_too_far",
        en="The step is {length_m} m long; beside an action one goes up to {longest_m} m.",
        ru="Шаг в {length_m} м, а выполняя иное действие можно пройти до {longest_m} м.",
    ),
    Message(
        code="not_held",
        en="Nobody holds {combatant}.",
        ru="Бойца {combatant} никто не держит.",
    ),
    Message(
        code="not_holding",
        en="{combatant} holds nobody.",
        ru="Боец {combatant} никого не держит.",
    ),
)
