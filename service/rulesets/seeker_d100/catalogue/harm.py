"""Rules in words: damage, areas, lethality and armour."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

HARM: Final[tuple[Rule, ...]] = (
    Rule(
        id="SK-DMG-1",
        en="On a hit the weapon's damage is rolled and subtracted from the target's hit points.",
        ru="При попадании бросают урон оружия и вычитают его из ОЗ цели.",
        source="«бросьте кубик урона оружия и вычтите результат из ОЗ цели»",
    ),
    Rule(
        id="SK-DMG-2",
        en="Damage is never below 0, and hit points stop at 0.",
        ru="Урон не бывает меньше 0, и ОЗ не опускаются ниже 0.",
    ),
    Rule(
        id="SK-DMG-3",
        en="A critical attack with an ordinary weapon doubles the rolled damage, before armour, "
        "unless the encounter does without it.",
        ru="Критический успех атаки обычным оружием удваивает выпавший урон до вычета брони, если "
        "для боя не решено иначе.",
    ),
    Rule(
        id="SK-DMG-4",
        en="At 0 hit points one is dead. Who loses some and has 1 or 2 left (or what the encounter "
        "says) is unconscious.",
        ru="При 0 ОЗ боец мёртв. Если он потерял ОЗ и у него осталось 1 или 2 (или сколько решено "
        "для боя), он без сознания.",
        source="«сразу убьет цель»",
    ),
    Rule(
        id="SK-AREA-1",
        en="A weapon with a radius hits everybody within it round the target or the point. Of a "
        "range of radii the attacker chooses one.",
        ru="Оружие с радиусом поражает всех, кто в его пределах от цели или точки. Из диапазона "
        "радиусов выбирает атакующий.",
        source="«Радиус 1-3 м»",
    ),
    Rule(
        id="SK-AREA-2",
        en="One attack roll serves for all; on a miss nobody is hit. Bullets spare the shooter, "
        "explosives do not; friends are not spared.",
        ru="Бросок атаки один на всех; при промахе не задет никто. Пули щадят стрелка, взрыв — "
        "нет; своих не щадит ничто.",
    ),
    Rule(
        id="SK-AREA-3",
        en="Victims come in this order: the target named, then by distance from the point, then "
        "as they came into being.",
        ru="Порядок целей: сначала названная, затем по расстоянию от точки, затем по порядку "
        "появления.",
        source="«первую цель»",
    ),
    Rule(
        id="SK-LETH-1",
        en="A weapon with lethality rolls percentile dice instead of damage, for each victim; at "
        "or under its rating they succeed.",
        ru="Для оружия со смертельностью вместо урона бросают процентные кубики, на каждую цель; "
        "бросок не больше показателя — успех.",
        source="«Вместо того, чтобы бросать обычный урон, бросьте процентные кубики на показатель "
        "Смертельности»",
    ),
    Rule(
        id="SK-LETH-2",
        en="A success drops the target's hit points to 0 at once.",
        ru="При успехе ОЗ цели сразу падают до 0.",
        source="«ОЗ цели сразу же падают до 0»",
    ),
    Rule(
        id="SK-LETH-3",
        en="On a failure the two digits are added as two ten-sided dice, 0 counting 10: 57 is 12, "
        "40 is 14, 05 is 15, 100 is 20.",
        ru="При неудаче две цифры складываются как два к10, 0 считается за 10: 57 — это 12, 40 — "
        "14, 05 — 15, 100 — 20.",
        source="«сложите два кубика, как если бы они были отдельными к10 (0 = 10)»",
    ),
    Rule(
        id="SK-LETH-4",
        en="A hit whose natural attack die is at or under the rating drops hit points to 0 without "
        "a lethality roll, unless the encounter does without it.",
        ru="Попадание, при котором выпавшее на броске атаки не больше показателя смертельности, "
        "сразу роняет ОЗ до 0 без броска на смертельность, если для боя не решено иначе.",
        source="«если бросок атаки … попадает имеет значение Смертельности или меньше — ОЗ цели "
        "мгновенно падают до 0»",
    ),
    Rule(
        id="SK-LETH-5",
        en="A critical attack doubles the rating and, if the lethality roll fails, the damage; or, "
        "where the encounter says so, it drops hit points to 0 without a roll.",
        ru="Критический успех атаки удваивает показатель, а если бросок на смертельность неудачен "
        "— и урон; либо, если так решено для боя, роняет ОЗ до 0 без броска.",
        source="«критический успех … мгновенно падают до 0», «удвойте показатель Смертельности и "
        "удвойте урон ОЗ»",
    ),
    Rule(
        id="SK-LETH-6",
        en="Lethality rolls are never critical: 1, 100 and equal digits mean nothing special.",
        ru="Броски на смертельность не бывают критическими: 1, 100 и одинаковые цифры ничего "
        "особого не значат.",
        source="«Броски на Смертельность не могут быть критическими, но броски атаки могут»",
    ),
    Rule(
        id="SK-LETH-7",
        en="For each victim the attack die is looked at first, then an instant critical, and only "
        "then lethality is rolled.",
        ru="Для каждой цели сначала смотрят на бросок атаки, затем на мгновенный критический "
        "успех, и лишь потом бросают смертельность.",
    ),
    Rule(
        id="SK-ARM-1",
        en="Armour of N takes N off the damage, never below 0. Doubling comes first.",
        ru="Броня N уменьшает урон на N, но не ниже 0. Удвоение — раньше.",
        source="«Броня 5 означает уменьшение урона на 5»",
    ),
    Rule(
        id="SK-ARM-2",
        en="Body armour and cover both reduce ordinary damage, and add up.",
        ru="Бронежилет и укрытие уменьшают обычный урон оба и складываются.",
        source="«Оба вида уменьшают урон от обычных атак»",
    ),
    Rule(
        id="SK-ARM-3",
        en="A helmet adds 1 against an uncalled attack and against a called shot at the head.",
        ru="Каска добавляет 1 против обычной атаки и против точного попадания в голову.",
        source="«Армейская каска | +1»",
    ),
    Rule(
        id="SK-ARM-4",
        en="Heavy armour, a wall, a thick door or the side of a car are 5; a thick wall, concrete, "
        "stone or an armoured car 10; a sandbag or reinforced wall 15; a light tank 20.",
        ru="Тяжёлая броня, стена, толстая дверь, стенка автомобиля — 5; толстая стена, бетон, "
        "камень, броневик — 10; мешок с песком, укреплённая стена — 15; лёгкий танк — 20.",
        source="«Броня»",
    ),
    Rule(
        id="SK-ARM-5",
        en="Cover counts when it lies between the origin of the attack and the target; for an "
        "explosive between thrower and victim or between burst and victim, the better of both.",
        ru="Укрытие считается, если лежит между источником атаки и целью; для взрыва — между "
        "бросившим и целью или между взрывом и целью, лучшее из двух.",
    ),
    Rule(
        id="SK-ARM-6",
        en="Body armour does not stop a lethal success; it reduces the damage of a failure. Where "
        "the encounter says so, it turns a success into that damage.",
        ru="Бронежилет не останавливает успех смертельности, но уменьшает урон при неудаче. Если "
        "так решено для боя, он превращает успех в такой урон.",
        source="«по-разному влияют на атаки с показателем Смертельности»",
    ),
    Rule(
        id="SK-ARM-7",
        en="Cover turns a lethal success into the damage of a failure, by the digits of the same "
        "dice (rolled for that if they were not), which all armour then reduces; unless the "
        "encounter does without it.",
        ru="Укрытие превращает успех смертельности в урон неудачи по цифрам того же броска (если "
        "его не было, он делается ради цифр), и его уменьшает вся броня, если для боя не решено "
        "иначе.",
        source="«по-разному влияют на атаки с показателем Смертельности»",
    ),
)
