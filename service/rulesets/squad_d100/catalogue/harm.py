"""Rules in words: armour, wounds, vigilance, things that explode."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

HARM: Final[tuple[Rule, ...]] = (
    Rule(
        id="SQ-AP-1",
        en="A hit penetrates on a critical success, where there is no armour, and if the class of "
        "the weapon is greater than that of the armour. If it is less, the table decides; equal "
        "ones go to the table, by option they penetrate.",
        ru="Попадание — пробитие при критическом успехе, без брони и если класс "
        "бронепробиваемости оружия больше класса брони. Если меньше, решает таблица; при равных "
        "классах тоже таблица, по опции — пробитие.",
        source="«если при попадании класс бронепробиваемости оружия меньше класса брони цели…», "
        "«…больше класса брони, либо выброшен критический успех, засчитывается пробитие»",
    ),
    Rule(
        id="SQ-AP-2",
        en="Digit swap: the two digits of the natural die change places. 17 is 71, 5 is 50, 40 is "
        "4, 100 stays 100.",
        ru="Перестановка цифр: две цифры чистого куба меняются местами. 17 — это 71, 5 — 50, 40 — "
        "4, 100 остаётся 100.",
        source="«производится перестановка цифр (например, 17 на стрельбу = 71 на пробитие)»",
    ),
    Rule(
        id="SQ-AP-3",
        en="The universal table has a column for each difference of armour and weapon, 0 to 5 and "
        "more; its zones upward are below green, green, yellow and red.",
        ru="В универсальной таблице столбец на каждую разницу брони и оружия, от 0 до 5 и больше; "
        "зоны снизу вверх: ниже зелёной, зелёная, жёлтая, красная.",
        source="«Полученное значение сверяется с универсальной таблицей»",
    ),
    Rule(
        id="SQ-AP-4",
        en="Below the green zone: penetration, full damage and a heavy wound.",
        ru="Ниже зелёной зоны: пробитие, полный урон и тяжёлое ранение.",
        source="«ниже зелёной зоны - пробитие брони (цель получает полный урон плюс тяжёлое "
        "ранение)»",
    ),
    Rule(
        id="SQ-AP-5",
        en="Green: the armour holds, a heavy wound without the damage of the weapon.",
        ru="Зелёная: броня не пробита, тяжёлое ранение без урона оружия.",
        source="«зелёный результат - броня не пробита, нанесено тяжёлое ранение»",
    ),
    Rule(
        id="SQ-AP-6",
        en="Yellow: the armour holds, a light wound without loss of hit points.",
        ru="Жёлтая: броня не пробита, несмертельное ранение без снятия HP.",
        source="«жёлтый - броня не пробита, нанесено несмертельное ранение … без снятия HP»",
    ),
    Rule(
        id="SQ-AP-7",
        en="Red: the armour holds, nothing happens.",
        ru="Красная: броня не пробита, ничего не происходит.",
        source="«красный - броня не пробита»",
    ),
    Rule(
        id="SQ-WOUND-1",
        en="A heavy wound: 10 hit points, 5 agility, 20 accuracy and 1 endurance less.",
        ru="Тяжёлое ранение: -10 HP, -5 AGI, -20 ACC, -1 END.",
        source="«-10 HP -5 AGI -20 ACC -1 END»",
    ),
    Rule(
        id="SQ-WOUND-2",
        en="A light wound: 5 agility, 10 accuracy and 1 endurance less.",
        ru="Несмертельное ранение: -5 AGI, -10 ACC, -1 END.",
        source="«-5 AGI -10 ACC -1 END»",
    ),
    Rule(
        id="SQ-WOUND-3",
        en="A penetration takes the damage and the 10 hit points of a heavy wound at once; the "
        "rest is as of a heavy wound.",
        ru="Пробитие снимает урон и 10 HP тяжёлого ранения сразу; остальное — как у тяжёлого "
        "ранения.",
        source="«цель получает весь урон плюс эффекты тяжёлого ранения»",
    ),
    Rule(
        id="SQ-WOUND-4",
        en="Wounds add up without limit; no attribute and no hit points go below 0.",
        ru="Раны складываются без предела; ни параметр, ни HP не опускаются ниже 0.",
    ),
    Rule(
        id="SQ-WOUND-5",
        en="How a wound is called: of a robot a module, of fire and burning weapons burns, else a "
        "broken limb or cracked ribs. No number depends on it.",
        ru="Как называется рана: у робота — модуль, от огня и огневого оружия — ожоги, иначе — "
        "сломана конечность или треснувшие рёбра. На числа это не влияет.",
        source="«(сломана конечность, выведен из строя модуль машины, нанесены тяжёлые ожоги)», "
        "«(ожоги, треснувшие рёбра, повреждение модуля…)»",
    ),
    Rule(
        id="SQ-WOUND-6",
        en="With 0 hit points one is down: no actions, no cell occupied, nobody's target.",
        ru="При 0 HP боец выведен из строя: не действует, не занимает клетку, не может быть целью.",
    ),
    Rule(
        id="SQ-VIG-1",
        en="Whoever ended its turn without using the shooting phase is on watch until its next "
        "turn. A sprint uses it, unless the option `sprint_keeps_watch` says otherwise.",
        ru="Кто закончил ход, не используя фазу стрельбы, ведёт наблюдение до начала своего "
        "следующего хода. Спринт её использует, если опция `sprint_keeps_watch` не говорит иначе.",
        source="«если игрок закончил ход, не используя фазу стрельбы»",
    ),
    Rule(
        id="SQ-VIG-2",
        en="After each step of an enemy in his own turn, and after he works a door, every watcher "
        "in whose field of view he is makes a vigilance test, once for each enemy and turn. By "
        "option only if he comes into view by it.",
        ru="После каждого шага противника в его ход и после того, как он открыл или закрыл дверь, "
        "каждый наблюдающий, в чьём поле зрения он оказался, проходит тест на бдительность — один "
        "раз на противника за ход. По опции — только если он попал в поле зрения этим шагом.",
        source="«и при этом в его поле зрения во время своего хода попадает противник, то игрок "
        "должен выкинуть куб 1d100»",
    ),
    Rule(
        id="SQ-VIG-3",
        en="The test succeeds if the d100 is less than the accuracy, by option than agility, "
        "agility plus half the accuracy, or endurance. 100 always fails, 1 always succeeds.",
        ru="Тест успешен, если d100 меньше точности, по опции — ловкости, ловкости плюс половины "
        "точности или END. 100 — всегда провал, 1 — всегда успех.",
    ),
    Rule(
        id="SQ-VIG-4",
        en="On a success the watch ends and the watcher fires at once: a snap shot with the first "
        "weapon that has a round, by option an aimed one or none. Without a round, a line or where "
        "it is suppressed it does not fire. On a failure it watches on for others.",
        ru="При успехе наблюдение кончается, и боец сразу стреляет: навскидку, из первого оружия с "
        "патронами; по опции — прицельно или никак. Без патронов, без линии выстрела и подавленный "
        "в ту сторону не стреляет. При провале он наблюдает за другими дальше.",
    ),
    Rule(
        id="SQ-VIG-5",
        en="An enemy who is down by a reaction shot stops; the rest of his path is not paid.",
        ru="Противник, выведенный из строя выстрелом по реакции, останавливается; остаток пути не "
        "оплачивается.",
    ),
    Rule(
        id="SQ-EXP-1",
        en="Explosive cargo that is hit or in a blast explodes: its cell becomes floor, and a "
        "blast with a d100 of its own follows.",
        ru="Взрывоопасный груз, в который попали или который достал взрыв, взрывается: его клетка "
        "становится полом, следует взрыв с собственным d100.",
        source="«Взрывоопасный груз (E)»",
    ),
    Rule(
        id="SQ-EXP-2",
        en="Fuel that is hit or in a blast burns: its cell, and floor, reserved places and cover "
        "next to it become fire; whoever stands there suffers it at once.",
        ru="Топливо, в которое попали или которое достал взрыв, загорается: его клетка и соседние "
        "пол, резервированные места и укрытия становятся огнём; стоящие там сразу страдают.",
        source="«Топливо (F)»",
    ),
    Rule(
        id="SQ-EXP-3",
        en="What a blast touches goes off afterwards, row by row, first in, first out, each thing "
        "once.",
        ru="То, что задел взрыв, срабатывает после него, по строкам, в порядке очереди, каждое — "
        "один раз.",
    ),
)
