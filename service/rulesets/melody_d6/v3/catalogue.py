"""What version 3 says in words besides what version 2 says; plain data."""

from dataclasses import replace
from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.ruleset.definition import Catalogue
from service.engine.vocabulary.catalogue import Message, Rule, Term
from service.rulesets.melody_d6.v2 import RULESET as VERSION_2

CHANGED: Final = (
    Rule(
        id="ML-MASK-4",
        en="The declaration opens a guard window: those who mask are disappearing targets. Then "
        "each listed warrior is masked who could declare it still (ML-WAIT-1). The FP stay spent.",
        ru="Объявление открывает окно караула: маскирующиеся — исчезающие цели. Затем "
        "замаскированы те из названных, кто мог бы объявить это и теперь (ML-WAIT-1). FP потрачены "
        "в любом случае.",
        source="«Игрок объявляет, что его боец маскируется», «пытаются замаскироваться»",
    ),
    Rule(
        id="ML-MASK-9",
        en="Automatic detection: nobody is masked within Mobility steps of an alert enemy, edge to "
        "edge, inclusive; no die, no line of sight. It is checked when masking is declared, at "
        "deployment, along the whole path of every movement, of the mover against those who are "
        "masked and of a masked mover against its enemies, up to the point of a guard's shot "
        "before that shot (ML-GUARD-14), and when somebody rallies. Who flees detects nobody.",
        ru="Автоматическое обнаружение: нельзя быть замаскированным в пределах Подвижности (в "
        "шагах) боеспособного врага, от края до края, включительно; без кубика и видимости. "
        "Проверяется при объявлении маскировки, при расстановке, вдоль всего пути каждого "
        "движения — и у того, кто идёт мимо замаскированных, и у замаскированного, идущего мимо "
        "врагов, до точки выстрела караульного перед этим выстрелом (ML-GUARD-14), — и при сборе. "
        "Убегающие никого не обнаруживают.",
        source="«в пределах своего значения Подвижности», «автоматически обнаруживает "
        "замаскированных противников в радиусе четырех шагов от себя»",
    ),
)
"""Rules that version 2 says otherwise."""

DETECTION: Final = Rule(
    id="ML-GUARD-14",
    en="With `detect_on_path` a guard's shot at a mover on its way first asks automatic detection "
    "(ML-MASK-9) of the way from its start up to the point that the shot names. Whom it detects is "
    "no longer masked: a masked mover can be shot at from there on, a masked guard does not shoot "
    "from ambush. With false it is asked once the movement is over.",
    ru="При `detect_on_path` выстрел караульного по идущему сначала проверяет автоматическое "
    "обнаружение (ML-MASK-9) на пути от его начала до точки, названной для выстрела. Кого оно "
    "обнаружило, тот больше не замаскирован: по замаскированному идущему с этой точки можно "
    "стрелять, а замаскированный караульный стреляет уже не из засады. При false проверка идёт, "
    "когда движение закончено.",
    source="«автоматически обнаруживает замаскированных противников в радиусе»",
)
"""It is behind ML-GUARD-13."""

WAITING: Final = Rule(
    id="ML-WAIT-1",
    en="An action that waited for answers continues only if it is allowed now, as far as its seat "
    "knows the battle, with what it has paid and done so far given back; else it ends "
    "(`action_stopped`). What it has done stays: steps, dice, points. Nobody is asked again for "
    "what was asked, and no die is drawn again.",
    ru="Действие, которое ждало ответов, продолжается, только если оно разрешено и теперь — по "
    "тому, что известно месту, которое его заявило, и с возвратом того, что действие уже потратило "
    "и сделало; иначе оно кончается (`action_stopped`). Сделанное остаётся: шаги, кубики, очки. О "
    "том, о чём уже спросили, больше не спрашивают, и ни один кубик не бросают снова.",
)
"""It is behind ML-GUARD-14."""

MESSAGES: Final = (
    Message(
        code="put_elsewhere",
        en="{combatant} has been put elsewhere meanwhile.",
        ru="Воина {combatant} тем временем переставили.",
    ),
)

STOPS: Final = (
    # --- the moment and the actor -----------------------------------------------------------------
    Term(id="not_your_turn", en="it is not the side's turn", ru="сейчас не ход этой стороны"),
    Term(id="unit_cannot_act", en="nobody of the unit can act", ru="в отряде некому действовать"),
    Term(id="no_active_unit", en="the unit is not active", ru="отряд не активен"),
    Term(
        id="warrior_not_in_active_unit",
        en="not of the active unit",
        ru="воин не из активного отряда",
    ),
    Term(id="wrong_phase", en="another phase of the activation", ru="другая фаза активации"),
    Term(id="actor_incapacitated", en="off the table", ru="воина больше нет на столе"),
    Term(id="warrior_fleeing", en="fleeing", ru="воин убегает"),
    Term(id="warrior_stunned", en="stunned", ru="воин оглушён"),
    Term(id="already_moved", en="the movement is spent", ru="движение уже потрачено"),
    Term(id="action_spent", en="the action is spent", ru="действие уже потрачено"),
    Term(id="unknown_combatant", en="the other is not to be seen", ru="другого воина не видно"),
    Term(id="not_your_combatant", en="under other control", ru="воином управляет другой"),
    Term(id="put_elsewhere", en="put elsewhere", ru="воина переставили"),
    # --- paths ------------------------------------------------------------------------------------
    Term(id="path_empty", en="the path leads nowhere", ru="путь никуда не ведёт"),
    Term(id="off_table", en="off the table's edge", ru="за краем стола"),
    Term(id="blocked_by_terrain", en="terrain blocks the way", ru="путь преграждает местность"),
    Term(id="path_blocked", en="an enemy blocks the way", ru="путь преграждает враг"),
    Term(
        id="move_into_contact",
        en="the move would end in contact with an enemy",
        ru="движение кончилось бы вплотную к врагу",
    ),
    Term(id="path_too_long", en="the path is too long", ru="путь слишком длинный"),
    Term(
        id="not_in_contact",
        en="the charge would not end in contact",
        ru="нападение кончилось бы не вплотную",
    ),
    # --- masking ----------------------------------------------------------------------------------
    Term(id="not_masked", en="not masked", ru="воин не замаскирован"),
    Term(id="already_masked", en="masked already", ru="воин уже замаскирован"),
    Term(
        id="attacked_this_turn",
        en="has attacked in this turn",
        ru="воин уже атаковал в этот ход",
    ),
    Term(
        id="masked_this_turn",
        en="has masked in this turn",
        ru="воин маскировался в этот ход",
    ),
    Term(id="cannot_mask_here", en="no place to mask", ru="здесь негде маскироваться"),
    Term(id="too_close_to_enemy", en="too close to an enemy", ru="слишком близко к врагу"),
    Term(id="insufficient_fp", en="not enough FP", ru="не хватает FP"),
    # --- attacks ----------------------------------------------------------------------------------
    Term(id="unknown_weapon", en="without the weapon", ru="такого оружия у воина нет"),
    Term(id="weapon_not_ranged", en="the weapon does not shoot", ru="это оружие не стреляет"),
    Term(
        id="weapon_not_melee",
        en="the weapon is not for melee",
        ru="это оружие не для ближнего боя",
    ),
    Term(id="target_friendly", en="the target is a friend", ru="цель — свой воин"),
    Term(id="target_gone", en="the target is gone", ru="цели больше нет на столе"),
    Term(id="target_masked", en="the target is masked", ru="цель замаскирована"),
    Term(id="target_engaged", en="the target is fighting", ru="цель сражается"),
    Term(id="out_of_sight", en="out of sight", ru="слишком далеко, чтобы видеть"),
    Term(id="no_line_of_sight", en="no line of sight", ru="нет линии видимости"),
    Term(id="out_of_range", en="out of range", ru="слишком далеко"),
    Term(id="not_engaged", en="not in contact", ru="не вплотную"),
    # --- songs ------------------------------------------------------------------------------------
    Term(id="unknown_melody", en="there is no such Melody", ru="такой Мелодии нет"),
    Term(id="not_a_singer", en="no Singer", ru="воин не Певец"),
    Term(id="melody_not_known", en="does not know the Melody", ru="воин не знает этой Мелодии"),
    Term(
        id="lasting_in_play",
        en="keeps a lasting Melody already",
        ru="воин уже держит длительную Мелодию",
    ),
    Term(id="zero_direction", en="without a direction", ru="нет направления"),
    Term(id="target_wrong_side", en="the target is of the wrong side", ru="цель не той стороны"),
    Term(id="no_such_song", en="the Melody is over", ru="Мелодии больше нет"),
    Term(id="dampen_own_melody", en="it is the side's own Melody", ru="это Мелодия своей стороны"),
    Term(
        id="melody_monstrous",
        en="Monstrous Power bars it in this round",
        ru="в этом раунде мешает Чудовищная Мощь",
    ),
    Term(id="dampen_limit", en="no attempt is left", ru="попыток больше нет"),
    Term(id="wrong_choice", en="not possible any more", ru="это больше невозможно"),
    # --- guard ------------------------------------------------------------------------------------
    Term(id="guard_mounted", en="mounted", ru="воин верхом"),
    Term(id="moved_before_guard", en="has moved before", ru="воин уже двигался"),
    Term(id="guard_after_masking", en="has masked in this turn", ru="воин маскировался в этот ход"),
    Term(id="guard_own_turn", en="it is the own turn", ru="сейчас свой ход"),
    Term(id="not_on_guard", en="not on guard", ru="воин не в карауле"),
)
"""Why an action that waited goes no further, by the code of its refusal; what is a condition too,
such as `engaged`, is a word of version 1."""

OPTIONS: Final = (
    Term(
        id="detect_on_path",
        en="detection before a guard's shot",
        ru="обнаружение перед выстрелом караульного",
    ),
)


def _catalogue() -> Catalogue:
    """The whole catalogue of version 3."""
    told = with_rules(VERSION_2.catalogue, *CHANGED)
    told = with_rules(told, DETECTION, behind="ML-GUARD-13")
    told = with_rules(told, WAITING, behind="ML-GUARD-14")
    return replace(
        told,
        messages=(*told.messages, *MESSAGES),
        terms=(*told.terms, *STOPS, *OPTIONS),
    )


CATALOGUE: Final = _catalogue()
"""The whole catalogue of version 3."""
