"""Rules in words: shots, ranges, grenades, suppressive fire, melee."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

SHOTS: Final[tuple[Rule, ...]] = (
    Rule(
        id="SQ-SHOOT-1",
        en="One action in the shooting phase of a turn: an aimed shot, two snap shots, a burst, "
        "suppressive fire, a grenade, a melee attack or reloading.",
        ru="В фазе стрельбы одно действие за ход: прицельный выстрел, два навскидку, очередь, "
        "подавляющий огонь, граната, рукопашная атака или перезарядка.",
        source="«Во второй фазе можно произвести один прицельный выстрел …, выстрелить навскидку "
        "два раза … или дать одну очередь»",
    ),
    Rule(
        id="SQ-SHOOT-2",
        en="Aimed shot: one shot without a modifier of its own. Pose, cover and range count, "
        "unless the option `aimed_modifiers` says otherwise.",
        ru="Прицельный выстрел: один выстрел без собственного модификатора. Поза, укрытие и "
        "дистанция учитываются, если опция `aimed_modifiers` не говорит иначе.",
        source="«один прицельный выстрел (без модификаторов)»",
    ),
    Rule(
        id="SQ-SHOOT-3",
        en="Snap shots: two shots with +10 on each roll; each names its target.",
        ru="Навскидку: два выстрела, +10 к каждому броску; у каждого своя цель.",
        source="«выстрелить навскидку два раза (+10 к броску)»",
    ),
    Rule(
        id="SQ-SHOOT-4",
        en="Burst: five rounds at one target with +30 on the roll, each round with a die and a hit "
        "of its own; by option one die and at most one hit for all.",
        ru="Очередь: пять патронов по одной цели, +30 к броску, у каждого патрона свой бросок и "
        "своё попадание; по опции — один бросок и не больше одного попадания на всех.",
        source="«одну очередь на 5 патронов (+30)»",
    ),
    Rule(
        id="SQ-SHOOT-5",
        en="A shot hits if the die and all modifiers are less than the accuracy; equal is a miss.",
        ru="Выстрел попадает, если куб со всеми модификаторами меньше точности; поровну — промах.",
        source="«успешное попадание засчитывается, если выброшенное значение меньше показателя "
        "точности (со всеми модификаторами)»",
    ),
    Rule(
        id="SQ-SHOOT-6",
        en="A natural 100 is a critical failure: a miss whatever the modifiers.",
        ru="Чистые 100 на кубе — критический провал: промах при любых модификаторах.",
        source="«результат 100 всегда засчитывается как критический провал вне зависимости от "
        "модификаторов»",
    ),
    Rule(
        id="SQ-SHOOT-7",
        en="A natural 1, by option up to 10, is a critical success: a hit whatever the modifiers.",
        ru="Чистая 1 на кубе, по опции до 10, — критический успех: попадание при любых "
        "модификаторах.",
        source="«либо выброшен критический успех»",
    ),
    Rule(
        id="SQ-SHOOT-8",
        en="With two hands, from two pistols or revolvers, only snap shots, with half the accuracy "
        "before the modifiers; the hands take turns, two shots each, by option one.",
        ru="С двух рук, из двух пистолетов или револьверов, стреляют только навскидку, с половиной "
        "точности до модификаторов; руки чередуются, по два выстрела из каждой, по опции — по "
        "одному.",
        source="«Используя пистолеты и револьверы, можно стрелять навскидку с двух рук, в таком "
        "случае точность делится пополам»",
    ),
    Rule(
        id="SQ-SHOOT-9",
        en="All rounds of an action leave the magazine at once; the shots are worked out one after "
        "another. A round whose target is down or gone by then is wasted without a die.",
        ru="Все патроны действия сразу уходят из магазина; выстрелы разыгрываются один за другим. "
        "Патрон, чья цель к тому времени выведена из строя или исчезла, пропадает без броска.",
    ),
    Rule(
        id="SQ-SHOOT-10",
        en="Wounds of the target change nothing for the shooter's roll; wounds of the shooter "
        "lower his accuracy from the next roll on.",
        ru="Раны цели не меняют броска стрелка; раны стрелка снижают его точность со следующего "
        "броска.",
        source="«со всеми модификаторами»",
    ),
    Rule(
        id="SQ-ROUND-1",
        en="Every halving rounds down.",
        ru="Любое деление пополам округляется вниз.",
        source="«с округлением в меньшую сторону»",
    ),
    Rule(
        id="SQ-RANGE-1",
        en="Close range is 0 to 2 cells, medium range 3 to 6, long range 7 and more.",
        ru="Ближний бой — 0–2 клетки, средняя дистанция — 3–6, дальняя — 7 и больше.",
        source="«Ближний бой это 0-2 клетки. Средняя дистанция 3-6. Дальняя 7 и больше»",
    ),
    Rule(
        id="SQ-RANGE-2",
        en="Pistols and revolvers have -10 on the roll at close range.",
        ru="У пистолетов и револьверов -10 к броску в ближнем бою.",
        source="«-10 к броску на ближний бой у пистолетов и револьверов»",
    ),
    Rule(
        id="SQ-RANGE-3",
        en="Automatic rifles have -10 on the roll at medium range.",
        ru="У автоматов -10 к броску на средней дистанции.",
        source="«на среднюю дистанцию - для автоматов»",
    ),
    Rule(
        id="SQ-RANGE-4",
        en="Sniper rifles have -10 on the roll at long range.",
        ru="У снайперских винтовок -10 к броску на дальней дистанции.",
        source="«на дальнюю - для снайперских винтовок»",
    ),
    Rule(
        id="SQ-RANGE-5",
        en="Elsewhere range changes nothing, and no shot is too far.",
        ru="В остальных случаях дистанция ничего не меняет, предельной дальности нет.",
    ),
    Rule(
        id="SQ-GREN-1",
        en="A grenade is thrown at most half the strength in cells.",
        ru="Граната летит не дальше половины силы в клетках.",
        source="«максимальная дальность броска равна половине силы (STR/2) с округлением в меньшую "
        "сторону»",
    ),
    Rule(
        id="SQ-GREN-2",
        en="A throw is a roll to hit like an aimed shot at a cell; of the modifiers only the pose "
        "counts. On a hit the grenade lands in the cell.",
        ru="Бросок гранаты — бросок на попадание, как прицельный выстрел по клетке; из "
        "модификаторов действует только поза. При попадании граната ложится в клетку.",
    ),
    Rule(
        id="SQ-GREN-3",
        en="On a miss it scatters by a d8: 1 is up, then clockwise; 1 cell, on a natural 100 two. "
        "It stops before a wall, a closed door and the edge of the map.",
        ru="При промахе она отлетает по d8: 1 — вверх, дальше по часовой стрелке; на 1 клетку, при "
        "чистых 100 — на две. Она останавливается перед стеной, закрытой дверью и краем карты.",
    ),
    Rule(
        id="SQ-GREN-4",
        en="A blast reaches everybody within its radius with a clear line of shot from its cell, "
        "the nearest first: one hit by the armour rules with the natural die of the throw. Damage "
        "is rolled once, before anybody is looked at. Pose and cover do not count.",
        ru="Взрыв достаёт всех в радиусе, до кого от его клетки чистая линия выстрела, начиная с "
        "ближайших: одно попадание по правилам брони с чистым кубом броска. Урон бросается один "
        "раз, до разбора целей. Поза и укрытие не учитываются.",
    ),
    Rule(
        id="SQ-SUP-1",
        en="Suppressive fire is a burst of 15 rounds of an automatic weapon.",
        ru="Подавляющий огонь — очередь на 15 патронов из автоматического оружия.",
        source="«боец с автоматическим оружием может подавлять цель … очередь на 15 патронов»",
    ),
    Rule(
        id="SQ-SUP-2",
        en="Each of the 15 rounds has a d100 and hits on a natural 1 alone. All dice are rolled "
        "first; hits that come when the target is down are wasted.",
        ru="У каждого из 15 патронов свой d100, попадание — только при чистой 1. Сначала бросаются "
        "все кубы; попадания по уже выведенной из строя цели пропадают.",
        source="«при этом попадание засчитывается только при выпадении 1»",
    ),
    Rule(
        id="SQ-SUP-3",
        en="A target that is not down afterwards is suppressed by the shooter, without a roll.",
        ru="Цель, если она не выведена из строя, подавлена этим бойцом, без броска.",
        source="«Подавленная цель»",
    ),
    Rule(
        id="SQ-SUP-4",
        en="In its next turn a suppressed combatant cannot shoot towards the one who suppressed "
        "it: within 45 degrees to either side, by option only at him or anywhere before the right "
        "angle. Reaction shots are barred at once, until the end of that turn.",
        ru="В следующий свой ход подавленный не может стрелять в сторону подавившего: в пределах "
        "45 градусов в обе стороны, по опции — только в него самого или в полуплоскость. Выстрелы "
        "по реакции запрещены сразу, до конца этого хода.",
        source="«не может стрелять в следующий ход в сторону бойца»",
    ),
    Rule(
        id="SQ-SUP-5",
        en="In that turn it must move to the nearest cover, by the price of the way: each step "
        "leads nearer, and it neither ends its movement nor kneels nor picks up anything while it "
        "can pay such a step. There is no duty in cover or where none can be reached.",
        ru="В этот ход он обязан двигаться к ближайшему укрытию, по цене пути: каждый шаг "
        "приближает, и пока такой шаг по средствам, нельзя ни закончить перемещение, ни присесть, "
        "ни подбирать вещи. В укрытии или без достижимого укрытия обязанности нет.",
        source="«и обязана двигаться к ближайшему укрытию»",
    ),
    Rule(
        id="SQ-SUP-6",
        en="Each suppressor bars an arc of his own; the duty exists once. The end of that turn "
        "ends all suppressions that were due. A suppressor who is down bars nothing; the duty "
        "stays.",
        ru="Каждый подавивший запрещает свой сектор; обязанность одна. Конец этого хода снимает "
        "все подавления, которые в нём действовали. Выведенный из строя ничего не запрещает, "
        "обязанность остаётся.",
    ),
    Rule(
        id="SQ-MELEE-1",
        en="A melee attack hits if the die is less than agility plus half the accuracy, by option "
        "also if it is equal. Pose, cover and range do not count.",
        ru="Рукопашная атака попадает, если куб меньше ловкости плюс половины точности, по опции — "
        "и если поровну. Поза, укрытие и дистанция не учитываются.",
        source="«шанс успешной атаки - ловкости плюс половине точности (AGI+ACC/2)»",
    ),
    Rule(
        id="SQ-MELEE-2",
        en="Its damage is the strength, and the armour rules apply with the class of the melee "
        "attack.",
        ru="Её урон равен силе, правила брони применяются с классом рукопашной.",
        source="«урон успешной атаки равен силе (STR)»",
    ),
    Rule(
        id="SQ-MELEE-3",
        en="It reaches one cell or as far as the option `melee_reach` says.",
        ru="Она достаёт на одну клетку или как скажет опция `melee_reach`.",
    ),
)
