"""What a refusal says; {names} are its parameters.

Where this rulebook uses a code that others use too, its refusals name a rule, and by that the
message is found.
"""

from typing import Final

from service.engine.catalogue import Message

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
        ru="{combatant} без сознания или мёртв и не может действовать.",
    ),
    Message(
        code="action_spent",
        en="{combatant} has spent its action of this round.",
        ru="{combatant} уже потратил действие этого хода.",
    ),
    Message(
        code="held",
        en="Held: '{action}' is not possible, only {allowed}.",
        ru="Схвачен: «{action}» невозможно, только {allowed}.",
    ),
    Message(
        code="holding_target",
        en="Holding {held} one acts against nobody else and takes no step: '{action}' is not "
        "possible so; {allowed} are.",
        ru="Удерживая бойца {held}, нельзя ни действовать против других, ни сходить с места: "
        "«{action}» так невозможно; можно {allowed}.",
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
        en="The content has no sample '{sample}'[[; it has {allowed}]].",
        ru="В содержимом нет образца «{sample}»[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_incomplete",
        en="Weapon '{weapon}' must have either damage or lethality, and only one of them.",
        ru="У оружия «{weapon}» должен быть либо урон, либо смертельность, но не то и другое.",
    ),
    Message(
        code="invalid_field",
        en="'{field}' does not go with this weapon[[; allowed: {allowed}]].",
        ru="«{field}» с этим оружием не сочетается[[; можно: {allowed}]].",
    ),
    Message(
        code="bad_shots",
        en="One attack fires {fewest} to {most} rounds, not {shots}.",
        ru="Одна атака — от {fewest} до {most} выстрелов, а не {shots}.",
    ),
    Message(
        code="no_ammo",
        en="Weapon '{weapon}' has {left} rounds left and the attack takes {shots}.",
        ru="В оружии «{weapon}» осталось патронов: {left}, а атаке нужно {shots}.",
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
        ru="{target} — уже мёртв.",
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
        en="The weapon has no radius of {radius} m[[; it has {smallest} to {largest} m]].",
        ru="У оружия нет радиуса {radius} м[[; есть от {smallest} до {largest} м]].",
    ),
    Message(
        code="bad_body_part",
        en="'{part}' cannot be called; {allowed} can.",
        ru="В «{part}» целить нельзя; можно в {allowed}.",
    ),
    Message(
        code="part_not_exposed",
        en="The cover hides '{part}'[[; it leaves {allowed} open]].",
        ru="Укрытие закрывает «{part}»[[; открыто {allowed}]].",
    ),
    Message(
        code="no_free_hand",
        en="Free hands: {free_hands}; disarming needs {needed}.",
        ru="Свободных рук: {free_hands}, а для обезоруживания нужно {needed}.",
    ),
    Message(
        code="nothing_held",
        en="The target holds no '{item}'.",
        ru="Цель не держит «{item}».",
    ),
    Message(
        code="already_held",
        en="{target} is held already.",
        ru="{target} уже в захвате.",
    ),
    # --- answers ----------------------------------------------------------------------------
    Message(
        code="weapon_not_melee",
        en="Weapon '{weapon}' is not one to resist with: that takes melee weapons or bare hands.",
        ru="Оружием «{weapon}» не сопротивляются: нужно оружие ближнего боя или голые руки.",
    ),
    Message(
        code="reaction_not_possible",
        en="This attack cannot be answered by '{choice}'; possible are {allowed}.",
        ru="На эту атаку нельзя ответить «{choice}»; можно {allowed}.",
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
        en="The way is {length_m} m long; '{gait}' covers up to {longest_m} m.",
        ru="Путь длиной {length_m} м, а «{gait}» — не дальше {longest_m} м.",
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
        ru="{combatant} никого не держит.",
    ),
)
