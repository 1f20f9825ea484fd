"""Rules in words: the turn, movement, poses, doors, loot and fire."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

MOVEMENT: Final[tuple[Rule, ...]] = (
    Rule(
        id="SQ-TURN-1",
        en="A turn is a movement phase and then a shooting phase. Movement points are spent in the "
        "first alone; those left over are lost.",
        ru="Ход — это фаза перемещения, затем фаза стрельбы. Очки перемещения тратятся только в "
        "первой, остаток пропадает.",
        source="«ход делится на две фазы - фазу перемещения и фазу стрельбы»",
    ),
    Rule(
        id="SQ-MOVE-1",
        en="The movement points of a turn are the current agility at its start; wounds suffered "
        "later in the turn do not change them.",
        ru="Очков перемещения в ходу столько, какова ловкость со всеми модификаторами в его "
        "начале; раны, полученные позже в этом ходу, их не меняют.",
        source="«Количество очков перемещения равно ловкости со всеми модификаторами»",
    ),
    Rule(
        id="SQ-MOVE-2",
        en="A step along a row or column costs 4 movement points.",
        ru="Шаг по горизонтали или вертикали стоит 4 очка перемещения.",
        source="«Перемещение по линиям стоит 4 очка»",
    ),
    Rule(
        id="SQ-MOVE-3",
        en="A diagonal step costs 6 movement points.",
        ru="Шаг по диагонали стоит 6 очков перемещения.",
        source="«по диагонали - 6 очков»",
    ),
    Rule(
        id="SQ-MOVE-4",
        en="There is no diagonal step between two impassable cells, by option also not past one. "
        "Combatants do not count here.",
        ru="Шаг по диагонали между двумя непроходимыми клетками невозможен, по опции — и мимо "
        "одной. Бойцы здесь не считаются.",
    ),
    Rule(
        id="SQ-MOVE-5",
        en="There is no step into an impassable cell or onto anybody who stands.",
        ru="Нельзя шагнуть в непроходимую клетку и в клетку, где кто-то стоит.",
    ),
    Rule(
        id="SQ-POSE-1",
        en="Kneeling down costs 4 movement points.",
        ru="Приседание на колено стоит 4 очка.",
        source="«приседание на колено - 4 очка»",
    ),
    Rule(
        id="SQ-POSE-2",
        en="A kneeling combatant has -5 on rolls to hit with shots and throws.",
        ru="У бойца на колене бонус -5 к броску на попадание выстрелом и броском гранаты.",
        source="«даёт бонус -5 к броску на точность»",
    ),
    Rule(
        id="SQ-POSE-3",
        en="A shot at a kneeling target has +5 on the roll.",
        ru="У выстрела по цели на колене +5 к броску.",
        source="«и +5 к аналогичному броску противника»",
    ),
    Rule(
        id="SQ-POSE-4",
        en="Standing up costs 8 movement points.",
        ru="Вставание с колен стоит 8 очков.",
        source="«вставание с колен - 8 очков»",
    ),
    Rule(
        id="SQ-POSE-5",
        en="A kneeling combatant cannot step, unless the option `kneel_move` lets it. It kneels "
        "until it stands up.",
        ru="Боец на колене не может шагать, если этого не позволяет опция `kneel_move`. Поза "
        "держится, пока он не встанет.",
    ),
    Rule(
        id="SQ-COVER-1",
        en="A shot at a target in cover has +10 on the roll, from whichever direction, once. In "
        "cover is who stands in a cell of cover; by option also who is behind one next to it that "
        "the line of the shot crosses.",
        ru="У выстрела по цели в укрытии +10 к броску, с любой стороны, один раз. В укрытии тот, "
        "кто стоит в клетке укрытия; по опции и тот, кто за соседней клеткой укрытия, через "
        "которую проходит линия выстрела.",
        source="«Укрытие (x) даёт бонус +10 к броску противника на попадание»",
    ),
    Rule(
        id="SQ-SPRINT-1",
        en="Sprint: instead of the shooting phase there are endurance plus half the agility more "
        "movement points, by current values; once a turn.",
        ru="Спринт: вместо фазы стрельбы добавляется END плюс половина ловкости очков, по текущим "
        "значениям; один раз за ход.",
        source="«вместо фазы стрельбы добавляется количество очков действия, равное END+AGI/2»",
    ),
    Rule(
        id="SQ-DOOR-1",
        en="Doors are closed at first, by option open. Opening or closing one costs 4 movement "
        "points or what the option `door_cost` says.",
        ru="Двери сначала закрыты, по опции — открыты. Открыть или закрыть дверь стоит 4 очка или "
        "сколько скажет опция `door_cost`.",
    ),
    Rule(
        id="SQ-LOOT-1",
        en="Picking up weapons and ammunition costs 4 movement points or what the option "
        "`pickup_cost` says; all own magazines are full then.",
        ru="Подобрать оружие и боеприпасы стоит 4 очка или сколько скажет опция `pickup_cost`; "
        "все свои магазины после этого полны.",
        source="«Оружие и боеприпасы (W)»",
    ),
    Rule(
        id="SQ-FIRE-1",
        en="Entering a cell of fire gives a light wound, by option a heavy one or none; each cell "
        "counts.",
        ru="Вход в клетку огня даёт несмертельное ранение, по опции — тяжёлое или никакого; "
        "считается каждая клетка.",
        source="«Огонь (~)», «ожоги»",
    ),
    Rule(
        id="SQ-FIRE-2",
        en="Beginning a turn in a cell of fire does the same.",
        ru="Начало хода в клетке огня даёт то же самое.",
    ),
)
