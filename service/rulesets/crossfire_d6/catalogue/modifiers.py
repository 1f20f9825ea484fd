"""Rules in words: crossfire, flanking and the other modifiers."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

MODIFIERS: Final[tuple[Rule, ...]] = (
    Rule(
        id="CF-XFIRE-1",
        en="Two shooters are in crossfire on a target if they are more than 90 degrees apart as "
        "seen from it. Exactly 90 degrees is not enough; heights do not matter.",
        ru="Двое стрелков ведут перекрёстный огонь по цели, если угол между ними относительно "
        "цели больше 90 градусов. Ровно 90 недостаточно; высоты не важны.",
        source="«под углом более чем 90 градусов друг к другу по отношению к цели»",
    ),
    Rule(
        id="CF-XFIRE-2",
        en="Shooters in crossfire with at least one other take part. Each of them gains one die "
        "for every participant after the first.",
        ru="В перекрёстном огне участвует каждый, кто ведёт его вместе хотя бы с одним другим "
        "стрелком. Каждый участник получает +1к6 за любого участника после первого.",
        source="«+1к6 за любого стрелка после первого»",
    ),
    Rule(
        id="CF-XFIRE-3",
        en="Crossfire gives at most three dice, which four shooters reach.",
        ru="Перекрёстный огонь даёт не более +3к6; столько получают четверо стрелков.",
        source="«достигая максимального бонуса 3к6 для четырех атакующих»",
    ),
    Rule(
        id="CF-XFIRE-4",
        en="A shooter is an enemy of the target who is neither helpless nor dead, has a ready "
        "ranged weapon that reaches, and against whom the target is not blocked. Where the "
        "encounter says so, only those who shot at it in this round.",
        ru="Стрелок — это враг цели, не беспомощный и не мёртвый, с готовым дальнобойным "
        "оружием, которое достаёт до цели, для которого цель не заблокирована. Если так решено "
        "для боя — только тот, кто стрелял в неё в этом раунде.",
        source="«2 атакующих располагаются»",
    ),
    Rule(
        id="CF-FLANK-1",
        en="A melee attack gains one die if another enemy of the target, able to act and with "
        "the target within melee reach, stands on the opposite side. More partners add nothing.",
        ru="Рукопашная атака получает +1к6, если с противоположной стороны от цели стоит другой "
        "её враг, способный действовать и достающий до неё в рукопашной. Другие напарники "
        "ничего не добавляют.",
        source="«каждый атакующий получает бонус +1к6 к рукопашной атаке»",
    ),
    Rule(
        id="CF-FLANK-2",
        en="Opposite means: the line between the two attackers' centres passes through the "
        "target by its west and east, or its north and south side; corners count.",
        ru="С противоположных сторон — значит, отрезок между центрами атакующих проходит сквозь "
        "цель через её западную и восточную или северную и южную стороны; углы считаются.",
        source="«расположены с противоположных сторон от цели»",
    ),
    Rule(
        id="CF-ALLY-1",
        en="A shot at a target near an ally of the attacker suffers the cover penalty of two dice.",
        ru="Выстрел по цели, рядом с которой стоит союзник атакующего, получает штраф укрытия "
        "−2к6.",
        source="«по цели, которая находится вблизи вашего союзника … со штрафом укрытия -2к6»",
    ),
    Rule(
        id="CF-ALLY-2",
        en="A trick may remove a penalty; the breakdown shows it with 0.",
        ru="Трюк может избавить от штрафа; в расчёте он показан с нулём.",
        source="«Некоторые трюки позволяет этого избежать»",
    ),
    Rule(
        id="CF-ALLY-3",
        en="Where allowed, reckless fire drops the penalty; if it misses, its total may hit the "
        "ally nearest to the target instead.",
        ru="Где это разрешено, стрельба без оглядки снимает штраф; но при промахе сумма броска "
        "сравнивается с защитой ближайшего к цели союзника и может попасть в него.",
        source="«не подвергнув его опасности»",
    ),
    Rule(
        id="CF-PRONE-1",
        en="A ranged attack on a prone target loses one die.",
        ru="Дальнобойная атака по лежачей цели получает −1к6.",
        source="«труднее совершать дальнобойные атаки (штраф -1к6)»",
    ),
    Rule(
        id="CF-PRONE-2",
        en="A melee attack on a prone target gains two dice.",
        ru="Рукопашная атака по лежачей цели получает +2к6.",
        source="«легче попасть рукопашной атакой (+2к6)»",
    ),
    Rule(
        id="CF-PB-1",
        en="A shot at point blank loses two dice. It is not a cover penalty.",
        ru="Выстрел в упор получает −2к6. Это не штраф укрытия.",
        source="«Выстрел в упор −2к6»",
    ),
    Rule(
        id="CF-HELP-1",
        en="A melee attack on a helpless target is a critical hit without an attack roll.",
        ru="Рукопашная атака по беспомощной цели — автоматическое критическое попадание без "
        "броска.",
        source="«Беспомощная цель — Автокрит»",
    ),
    Rule(
        id="CF-UNAWARE-1",
        en="A melee attack on a target that does not expect it gains two dice. Afterwards, or "
        "when its turn starts, the target is aware.",
        ru="Рукопашная атака по цели, которая не ожидает атаки, получает +2к6. После этого или "
        "с началом своего хода цель уже настороже.",
        source="«Цель не ожидает атаки +2к6»",
    ),
    Definition(
        id="CF-FACE-1",
        en="Every combatant looks in one of eight directions.",
        ru="Каждый боец смотрит в одном из восьми направлений.",
        source="«Направление взгляда может быть важным»",
    ),
    Rule(
        id="CF-FACE-2",
        en="The facing may be changed at any time during one's movement.",
        ru="Направление взгляда можно изменить в любое время во время движения.",
        source="«в любое время во время движения»",
    ),
    Rule(
        id="CF-FACE-3",
        en="The facing may be changed at any moment of one's own turn, moving or not, at no cost "
        "at all; not on another's turn.",
        ru="Направление взгляда можно изменить в любой момент своего хода, даже не двигаясь; это "
        "ничего не стоит. В чужой ход — нельзя.",
        source="«На это не требуется ни действия, ни бесплатного действия»",
    ),
    Rule(
        id="CF-FACE-4",
        en="Attacks work in any direction unless the weapon names an arc; then the target must "
        "be in that arc.",
        ru="Атаковать можно в любом направлении, если у оружия не указан сектор; тогда цель "
        "должна быть в этом секторе.",
        source="«хвост дракона совершает атаку конусом со стороны спины»",
    ),
    Rule(
        id="CF-FACE-5",
        en="Every attack records whether it comes from the front, the side or from behind. This "
        "changes no dice, unless the encounter counts melee from behind as unexpected.",
        ru="Для каждой атаки отмечается, пришла ли она спереди, сбоку или сзади. Костей это не "
        "меняет, если для боя не решено считать рукопашную атаку сзади неожиданной.",
        source="«определяет, атакует ли вас кто-то сзади»",
    ),
)
