"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    # --- the moment and the actor -----------------------------------------------------------------
    Message(
        code="not_your_turn",
        en="It is not the turn of side {side}[[, but of {turn}]].",
        ru="Сейчас не ход стороны {side}[[, а ход стороны {turn}]].",
    ),
    Message(
        code="activation_open",
        en="Unit {unit} is active: end its activation first.",
        ru="Отряд {unit} активен: сначала завершите его активацию.",
    ),
    Message(
        code="unit_already_activated",
        en="Unit {unit} has been activated in this turn already.",
        ru="Отряд {unit} в этом ходу уже активировали.",
    ),
    Message(
        code="unit_cannot_act",
        en="Nobody of unit {unit} is on the table and able to act.",
        ru="В отряде {unit} на столе нет никого, кто не убегает.",
    ),
    Message(
        code="no_active_unit",
        en="Unit {unit} is not active.",
        ru="Отряд {unit} не активен.",
    ),
    Message(
        code="warrior_not_in_active_unit",
        en="{combatant} is not of the active unit[[ {unit}]].",
        ru="Воин {combatant} не из активного отряда[[ {unit}]].",
    ),
    Message(
        code="wrong_phase",
        en="It is another phase of the activation: {phase:term}.",
        ru="Сейчас другая фаза активации: {phase:term}.",
    ),
    Message(
        code="actor_incapacitated",
        en="{combatant} is on the table no more.",
        ru="Воина {combatant} больше нет на столе.",
    ),
    Message(
        code="warrior_fleeing",
        en="{combatant} is fleeing and cannot act.",
        ru="Воин {combatant} убегает и действовать не может.",
    ),
    Message(
        code="warrior_stunned",
        en="{combatant} is stunned and cannot act.",
        ru="Воин {combatant} оглушён и действовать не может.",
    ),
    Message(
        code="already_moved",
        en="{combatant} has moved, charged or masked in this activation already.",
        ru="Воин {combatant} в эту активацию уже двигался, напал или маскировался.",
    ),
    Message(
        code="action_spent",
        en="{combatant} has spent its action already.",
        ru="Воин {combatant} уже потратил своё действие.",
    ),
    Message(
        code="engaged",
        en="{combatant} is fighting[[ {enemy}]] and cannot do that.",
        ru="Воин {combatant} сражается[[ с {enemy}]] и сделать этого не может.",
    ),
    # --- paths ------------------------------------------------------------------------------------
    Message(
        code="path_empty",
        en="The path leads nowhere.",
        ru="Путь никуда не ведёт.",
    ),
    Message(
        code="off_table",
        en="({x}, {y}) is off the table, or the base reaches over its edge.",
        ru="Точка ({x}, {y}) за краем стола, или подставка выходит за край.",
    ),
    Message(
        code="blocked_by_terrain",
        en="Terrain blocks the way: {feature}.",
        ru="Путь преграждает местность: {feature}.",
    ),
    Message(
        code="path_blocked",
        en="The way leads too close by an enemy: {by}.",
        ru="Путь проходит слишком близко от врага: {by}.",
    ),
    Message(
        code="move_into_contact",
        en="A move may not end in contact with an enemy: {enemy}. Charge instead.",
        ru="Движение нельзя закончить вплотную к врагу: {enemy}. Для этого нужно нападение.",
    ),
    Message(
        code="base_overlap",
        en="There the base overlaps another[[: {other}]].",
        ru="Там подставка накладывается на чужую[[: {other}]].",
    ),
    Message(
        code="path_too_long",
        en="The path costs {cost} u; the allowance is {allowance} u.",
        ru="Путь стоит {cost} тысячных шага, а пройти можно {allowance}.",
    ),
    Message(
        code="not_in_contact",
        en="The charge does not end in contact with {target}: within {within} u is needed.",
        ru="Нападение кончается не вплотную к {target}: нужно не дальше {within} тысячных шага.",
    ),
    # --- masking ----------------------------------------------------------------------------------
    Message(
        code="not_masked",
        en="{combatant} is not masked.",
        ru="Воин {combatant} не замаскирован.",
    ),
    Message(
        code="mask_already_declared",
        en="Masking has been declared in this activation already.",
        ru="В эту активацию маскировку уже объявляли.",
    ),
    Message(
        code="duplicate_warrior",
        en="{combatant} is named twice.",
        ru="Воин {combatant} назван дважды.",
    ),
    Message(
        code="already_masked",
        en="{combatant} is masked already.",
        ru="Воин {combatant} уже замаскирован.",
    ),
    Message(
        code="exposed",
        en="{combatant} was exposed and cannot mask any more.",
        ru="Воин {combatant} раскрыт и больше не может маскироваться.",
    ),
    Message(
        code="attacked_this_turn",
        en="[[{combatant}: ]]who has attacked cannot mask in the same turn.",
        ru="[[{combatant}: ]]напав, маскироваться в тот же ход нельзя.",
    ),
    Message(
        code="masked_this_turn",
        en="[[{combatant}: ]]who has masked in this turn cannot attack in it.",
        ru="[[{combatant}: ]]замаскировавшись в этот ход, нападать в него нельзя.",
    ),
    Message(
        code="cannot_mask_here",
        en="{combatant} is near nothing to mask at: within {within} u is needed.",
        ru="Воину {combatant} маскироваться негде: укрытие нужно не дальше {within} тысячных шага.",
    ),
    Message(
        code="too_close_to_enemy",
        en="{combatant} is too close to an enemy to mask: {enemy}.",
        ru="Воин {combatant} слишком близко к врагу, чтобы маскироваться: {enemy}.",
    ),
    Message(
        code="insufficient_fp",
        en="This takes {needed} FP; {fp} are left.",
        ru="Нужно очков: {needed}; осталось: {fp}.",
    ),
    # --- shooting and fighting --------------------------------------------------------------------
    Message(
        code="unknown_weapon",
        en="The warrior has no weapon '{weapon}'[[; it has {allowed}]].",
        ru="У воина нет оружия «{weapon}»[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_not_ranged",
        en="One cannot shoot with '{weapon}'.",
        ru="Из оружия «{weapon}» нельзя стрелять.",
    ),
    Message(
        code="weapon_not_melee",
        en="One cannot fight with '{weapon}'.",
        ru="Оружием «{weapon}» нельзя сражаться врукопашную.",
    ),
    Message(
        code="target_friendly",
        en="{target} is of the same side.",
        ru="Воин {target} — на той же стороне.",
    ),
    Message(
        code="target_gone",
        en="{target} is on the table no more.",
        ru="Воина {target} больше нет на столе.",
    ),
    Message(
        code="target_masked",
        en="{target} is masked and cannot be shot at.",
        ru="Воин {target} замаскирован: стрелять в него нельзя.",
    ),
    Message(
        code="target_engaged",
        en="{target} is fighting: shooting at it is not possible.",
        ru="Воин {target} сражается: стрелять в него нельзя.",
    ),
    Message(
        code="out_of_sight",
        en="{target} is beyond the sight radius[[ of {sight} u]].",
        ru="Воин {target} дальше радиуса видимости[[: {sight} тысячных шага]].",
    ),
    Message(
        code="no_line_of_sight",
        en="Something high blocks the line of sight.",
        ru="Линию видимости перекрывает что-то высокое.",
    ),
    Message(
        code="out_of_range",
        en="Out of range[[: {target}]][[; at most {longest} u]].",
        ru="Слишком далеко[[: {target}]][[; не больше {longest} тысячных шага]].",
    ),
    Message(
        code="not_engaged",
        en="{combatant} is not in contact with {target}.",
        ru="Воин {combatant} не сражается с {target}.",
    ),
    # --- songs ------------------------------------------------------------------------------------
    Message(
        code="unknown_melody",
        en="There is no Melody '{melody}'[[; there are {allowed}]].",
        ru="Мелодии «{melody}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="not_a_singer",
        en="{combatant} is no Singer.",
        ru="Воин {combatant} — не Певец.",
    ),
    Message(
        code="melody_not_known",
        en="The singer does not know the Melody '{melody}'.",
        ru="Певец не знает Мелодию «{melody}».",
    ),
    Message(
        code="hoarse",
        en="The singer is hoarse until the end of round {until_round}.",
        ru="Певец охрип до конца раунда {until_round}.",
    ),
    Message(
        code="lasting_in_play",
        en="The singer keeps a Melody in play already: {song}.",
        ru="Певец уже держит Мелодию в игре: {song}.",
    ),
    Message(
        code="target_required",
        en="This Melody is sung at one warrior: name it as the target.",
        ru="Эту Мелодию играют на одного воина: назовите цель.",
    ),
    Message(
        code="point_required",
        en="This Melody needs the point where its template lies.",
        ru="Этой Мелодии нужна точка, куда кладут шаблон.",
    ),
    Message(
        code="aim_required",
        en="This Melody needs a point that its template is aimed at.",
        ru="Этой Мелодии нужна точка, в которую направлен шаблон.",
    ),
    Message(
        code="zero_direction",
        en="The aim is the singer's own centre: that is no direction.",
        ru="Направление не задано: точка совпадает с центром Певца.",
    ),
    Message(
        code="target_wrong_side",
        en="This Melody is for another: {allowed:term}.",
        ru="Эта Мелодия для других: {allowed:term}.",
    ),
    Message(
        code="reroll_unavailable",
        en="Such a reroll is not on offer[[: {source:term}]].",
        ru="Такой переброс сейчас недоступен[[: {source:term}]].",
    ),
    Message(
        code="bad_die_index",
        en="The dice to reroll are numbered 0 to one less than {count}, each once, at least one.",
        ru="Кубики для переброса нумеруются с нуля, всего их {count}; каждый не больше одного "
        "раза, хотя бы один.",
    ),
    Message(
        code="no_melody_in_play",
        en="The warrior keeps no Melody in play.",
        ru="У этого воина нет Мелодии в игре.",
    ),
    Message(
        code="no_such_song",
        en="There is no such Melody in play[[: {song}]].",
        ru="Такой Мелодии в игре нет[[: {song}]].",
    ),
    Message(
        code="dampen_own_melody",
        en="One does not dampen a Melody of one's own side.",
        ru="Мелодию своей стороны не глушат.",
    ),
    Message(
        code="melody_monstrous",
        en="It was sung with Monstrous Power: in this round it cannot be dampened.",
        ru="Она сыграна с Чудовищной Мощью: в этом раунде её не заглушить.",
    ),
    Message(
        code="dampen_limit",
        en="The attempt of this round is spent: {limit:term}.",
        ru="Попытка этого раунда уже потрачена: {limit:term}.",
    ),
    # --- guard ------------------------------------------------------------------------------------
    Message(
        code="guard_mounted",
        en="{combatant} is mounted and cannot go on guard.",
        ru="Верховой воин {combatant} не может встать в караул.",
    ),
    Message(
        code="moved_before_guard",
        en="{combatant} has moved and cannot go on guard.",
        ru="Воин {combatant} двигался и не может встать в караул.",
    ),
    Message(
        code="guard_after_masking",
        en="{combatant} has masked in this turn and cannot go on guard.",
        ru="Воин {combatant} замаскировался в этот ход и не может встать в караул.",
    ),
    Message(
        code="guard_own_turn",
        en="{combatant} shoots on guard in the enemy's turn alone.",
        ru="Воин {combatant} стреляет в карауле только в ход противника.",
    ),
    Message(
        code="not_on_guard",
        en="{combatant} is not on guard.",
        ru="Воин {combatant} не в карауле.",
    ),
    Message(
        code="bad_path_point",
        en="There is no such point on a path here: leg {leg}, {permille} thousandths.",
        ru="Такой точки пути здесь нет: отрезок {leg}, тысячные {permille}.",
    ),
    Message(
        code="behind_mover",
        en="The mover is past leg {leg}, {permille} thousandths already.",
        ru="Идущий уже прошёл отрезок {leg}, тысячные {permille}.",
    ),
    Message(
        code="no_such_decision",
        en="The open question takes another answer[[: {allowed:term}]].",
        ru="Открытый вопрос требует другого ответа[[: {allowed:term}]].",
    ),
    # --- what is stated of a battle ---------------------------------------------------------------
    Message(
        code="invalid_setup",
        en="{path} does not fit[[ ({action:term})]]: {reason:term}[[ ({id})]][[; at most {most}]].",
        ru="{path} не подходит[[ ({action:term})]]: {reason:term}[[ ({id})]]"
        "[[; не больше {most}]].",
    ),
)
