"""Rules in words: shots, fights, tests, panic, stun."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

HARM: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-SHOOT-1",
        en="A target of shooting is an enemy on the table, neither masked nor engaged, whom the "
        "shooter sees, within the range of the weapon, edge to edge. The checks are made in this "
        "order: side, presence, masking, engagement, sight, line, range.",
        ru="Цель стрельбы — враг на столе, не замаскированный и не сражающийся, которого стрелок "
        "видит и который не дальше дальности оружия, от края до края. Порядок проверок: сторона, "
        "присутствие, маскировка, ближний бой, радиус видимости, линия, дальность.",
    ),
    Rule(
        id="ML-SHOOT-2",
        en="To hit: D6, Accuracy and modifiers reach 7. A natural 1 always misses, a natural 6 "
        "always hits. All `shots` dice of the weapon are rolled first.",
        ru="Попадание: D6 + Меткость + модификаторы не меньше 7. Единица на кубике — всегда "
        "промах, шестёрка — всегда попадание. Сначала кидаются все кубики оружия (`shots`).",
    ),
    Rule(
        id="ML-SHOOT-3",
        en="Long range: −1 if twice the edge distance is more than the range of the weapon.",
        ru="Дальняя стрельба: −1, если удвоенное расстояние между краями больше дальности оружия.",
    ),
    Rule(
        id="ML-SHOOT-4",
        en="Cover: −1 if the line of sight runs through the interior of a `low` feature with "
        "`cover` and the target is within 1000 u of it; once at most.",
        ru="Укрытие: −1, если линия видимости проходит внутри низкого элемента с `cover`, а цель "
        "в пределах 1000 u от него; не больше одного раза.",
    ),
    Rule(
        id="ML-SHOOT-5",
        en="A dazed shooter has −1. Lasting Melodies add `mod_hit_by` of the shooter and "
        "`mod_hit_at` of the target.",
        ru="У ослеплённого стрелка −1. Длительные Мелодии добавляют `mod_hit_by` стрелка и "
        "`mod_hit_at` цели.",
    ),
    Rule(
        id="ML-SHOOT-6",
        en="Each hit rolls a wound: needed is 4 and Toughness less strength, from 2 to 6. Each "
        "wound rolls a save if the target has armour: it holds if the die is no 1 and less `pen` "
        "reaches the armour. Each wound that is not saved takes `damage` wounds; at 0 the target "
        "is killed. All dice to hit come first, then all wounds, then all saves.",
        ru="За каждое попадание кидают ранение: нужно 4 + Стойкость − сила, от 2 до 6. За каждое "
        "ранение, если есть броня, — спасбросок: удачен, если выпала не единица и число минус "
        "`pen` не меньше Брони. Каждое неспасённое ранение снимает `damage` ран; на 0 цель убита. "
        "Сначала все попадания, потом все ранения, потом все спасброски.",
    ),
    Rule(
        id="ML-FIGHT-1",
        en="A fight: both roll D6 and Melee, the attacker first; a stunned defender adds 0. The "
        "higher total wins and makes one hit with its melee weapon (the attacker's named or first "
        "one, the defender's first), or with strength 3, pen 0, damage 1; equal totals do "
        "nothing.",
        ru="Ближний бой: оба кидают D6 + Ближний бой, нападающий первым; оглушённый защитник "
        "прибавляет 0. У кого больше, тот наносит одно попадание своим оружием ближнего боя (у "
        "нападающего названным или первым, у защитника первым), а без него — с силой 3, `pen` 0, "
        "уроном 1; при равенстве ничего не происходит.",
    ),
    Rule(
        id="ML-TEST-1",
        en="A Mobility test: a D6 of at most Mobility passes. A natural 1 always passes, a "
        "natural 6 always fails (option `mobility_six_fails`).",
        ru="Тест на Подвижность: D6 не больше Подвижности — пройден. Единица — всегда пройден, "
        "шестёрка — всегда нет (опция `mobility_six_fails`).",
        source="«необходимо пройти тест на Подвижность»",
    ),
    Rule(
        id="ML-PANIC-1",
        en="A panic test of a unit: 2D6 of at most the highest Courage of its members on the "
        "table who do not flee, with the modifier of what caused it; equal passes.",
        ru="Тест отряда на панику: 2D6 не больше высшей Храбрости его воинов на столе, которые не "
        "убегают, с модификатором причины; ровно столько — пройден.",
        source="«обязаны пройти тест на панику»",
    ),
    Rule(
        id="ML-PANIC-2",
        en="If it is failed, those members begin to flee, in upload order: they lose guard and "
        "masking, their lasting Melodies end, and each flees at once.",
        ru="Если он не пройден, эти воины начинают убегать, в порядке загрузки: теряют караул и "
        "маскировку, их длительные Мелодии прекращаются, и каждый сразу бежит.",
    ),
    Rule(
        id="ML-PANIC-3",
        en="Flight leads straight to the home edge of the side by `move` u, whatever is in the "
        "way. Who then touches or crosses the edge leaves the table. Else, while its base "
        "overlaps another or its centre is strictly inside a `high` feature, it goes on by 100 u "
        "at a time.",
        ru="Бегство — прямо к своему краю стола на Движение, что бы ни было на пути. Кто коснулся "
        "края, покидает стол. Иначе, пока подставка на кого-то накладывается или центр внутри "
        "высокого элемента, воин бежит дальше по 100 u.",
    ),
    Rule(
        id="ML-PANIC-4",
        en="At the start of its side's turn each unit with fleeing members, in upload order, "
        "rolls 2D6 against the highest Courage of those: at most that and they rally, and the "
        "unit counts as activated in this turn; else they flee again. Who flees does not act.",
        ru="В начале хода своей стороны каждый отряд с убегающими, в порядке загрузки, кидает 2D6 "
        "против высшей Храбрости среди них: не больше — они собрались, и отряд в этом ходу "
        "считается активированным; иначе бегут снова. Убегающие не действуют.",
    ),
    Rule(
        id="ML-STUN-1",
        en="A stunned warrior neither moves nor acts, dampens nor shoots on guard. It ends with "
        "the next activation of its unit; a stun that came within an activation of its own unit "
        "ends with the one after that.",
        ru="Оглушённый не двигается, не действует, не глушит и не стреляет из караула. Оглушение "
        "кончается с ближайшей активацией его отряда; полученное во время активации своего отряда "
        "— со следующей за ней.",
    ),
)
