"""Rules in words: attacking, aiming, called shots, disarming, dodging, taking cover."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

ACTIONS: Final[tuple[Rule, ...]] = (
    Rule(
        id="SK-ATK-1",
        en="Attack actions are the attack, the called shot, disarming and grappling. A standard "
        "attack, ranged or melee, is a check of a skill, and success hits.",
        ru="Атакующие действия — атака, точное попадание, обезоруживание и захват. Стандартная "
        "атака, дальняя или ближняя, — это проверка навыка; успех — попадание.",
        source="«Все, от нанесение удара до выстрела из гаубицы»; «Стандартная атака … - это "
        "проверка навыков»; «чтобы избежать атаки (Обезоруживания или Захвата)»",
    ),
    Rule(
        id="SK-ATK-2",
        en="The skill is the weapon's: usually ranged weapons for a pistol, athletics for what is "
        "thrown, melee weapons, and unarmed combat for a punch or kick.",
        ru="Навык — тот, что у оружия: обычно дальний бой для пистолета, Атлетика для "
        "метательного, Оружие ближнего боя, Рукопашный бой для удара рукой или ногой.",
        source='«Обычно это "дальний бой" для пистолета, "Атлетика" …»',
    ),
    Rule(
        id="SK-ATK-3",
        en="One attack is one attack roll and one damage roll, whatever the number of shots.",
        ru="Одна атака — один бросок атаки и один бросок урона, сколько бы ни было выстрелов.",
        source="«это всегда один бросок атаки и один бросок урона»",
    ),
    Rule(
        id="SK-AIM-1",
        en="Aiming takes the whole action and no roll. The attack action in the next turn has 20 "
        "per cent more.",
        ru="Прицеливание занимает действие целиком и не требует броска. Атакующее действие в "
        "следующий ход получает +20 %.",
        source="«Потратьте один ход, чтобы прицелиться, и в следующий ход получите + 20% к вашей "
        "атаке. Не требует броска»",
    ),
    Rule(
        id="SK-AIM-2",
        en="The bonus is lost with the action of the next round, whatever it was, and at once "
        "when the combatant loses at least 1 hit point before its attack.",
        ru="Бонус теряется с действием следующего хода, каким бы оно ни было, и сразу — если боец "
        "до своей атаки потерял хотя бы 1 ОЗ.",
        source="«После следующего хода, или если ваш агент получит какие-либо повреждения до своей "
        "атаки, бонус теряется»",
    ),
    Rule(
        id="SK-AIM-3",
        en="Aiming again renews the bonus and does not add up.",
        ru="Повторное прицеливание обновляет бонус, но не складывается.",
    ),
    Rule(
        id="SK-CALL-1",
        en="A called shot, at a part of the body or with a grenade over cover, costs 20 per cent "
        "against partial cover and 40 against large cover.",
        ru="Точное попадание — по части тела или гранатой через укрытие — даёт −20 % при частичном "
        "укрытии и −40 % при большом.",
        source="«ЧАСТИЧНОЕ УКРЫТИЕ (-20%)», «БОЛЬШОЕ УКРЫТИЕ (-40%)»",
    ),
    Rule(
        id="SK-CALL-2",
        en="Head, left and right arm, left and right leg may be called; the torso may not.",
        ru="Целить можно в голову, левую и правую руку, левую и правую ногу, но не в туловище.",
        source="«(голове, руке, ноге)»",
    ),
    Rule(
        id="SK-CALL-3",
        en="Where no cover lies between, a called shot costs 20 per cent, or what the encounter "
        "says.",
        ru="Если укрытия между ними нет, точное попадание даёт −20 % или сколько решено для боя.",
        source="«Точное попадание сложнее стандартной атаки, поэтому имеет штраф»",
    ),
    Rule(
        id="SK-CALL-4",
        en="A called shot at a part ignores cover and every piece of armour that does not protect "
        "the part, or, where the encounter says so, every piece.",
        ru="Точное попадание по части тела игнорирует укрытие и всю броню, которая эту часть не "
        "защищает, либо, если так решено для боя, всю броню вообще.",
        source="«выстрелить кому-нибудь в ногу, игнорируя броню»",
    ),
    Rule(
        id="SK-CALL-5",
        en="Thrown over cover, a grenade bursts at its point, and only cover between that point "
        "and a victim counts. The cover between thrower and point decides the penalty.",
        ru="Брошенная через укрытие граната взрывается в своей точке; считается только укрытие "
        "между этой точкой и целью. Штраф определяет укрытие между бросающим и точкой.",
        source="«бросить гранату через укрытие, чтобы взорвать на той стороне»",
    ),
    Rule(
        id="SK-CALL-6",
        en="A called shot with automatic fire that could hit several targets hits the first only.",
        ru="Точное попадание автоматической стрельбой, которая могла бы поразить несколько целей, "
        "поражает только первую.",
        source="«Точное попадание поражает только первую цель»",
    ),
    Rule(
        id="SK-DIS-1",
        en="Disarming is a check of unarmed combat; a hit makes the target drop the item at its "
        "feet.",
        ru="Обезоруживание — проверка Рукопашного боя; при попадании цель роняет объект к ногам.",
        source='«Попытка выбить объект удерживаемый целью с помощью навыка "Рукопашный бой"», '
        "«цель роняет объект»",
    ),
    Rule(
        id="SK-DIS-2",
        en="Disarming needs a free hand (two, where the encounter says so) and the target in "
        "melee reach.",
        ru="Для обезоруживания нужна свободная рука (две, если так решено для боя) и цель в зоне "
        "досягаемости для ближнего боя.",
        source="«свободные руки и он находится в зоне досягаемости»",
    ),
    Rule(
        id="SK-DODGE-1",
        en="A dodge is an opposed check against the attack roll; winning avoids damage, disarming "
        "and grappling.",
        ru="Уклонение — встречная проверка против броска атаки; победа избавляет от урона, "
        "обезоруживания и захвата.",
        source='«Это встречная проверка навыка "Уклонения" … против "Атаки"»',
    ),
    Rule(
        id="SK-DODGE-2",
        en="Melee attacks, thrown weapons and arrows can be dodged.",
        ru="Уклониться можно от атак ближнего боя, метательного оружия и стрел.",
        source="«Обычный бросок на Уклонение позволяет избежать стрелы или брошенного оружия»",
    ),
    Rule(
        id="SK-DODGE-3",
        en="Nobody dodges bullets or fragments; one may take cover.",
        ru="От пули и осколков не уклониться; можно только укрыться.",
        source="«Никто не может среагировать на пулю или осколки»",
    ),
    Rule(
        id="SK-COVER-1",
        en="Against bullets and explosives, one who knows of the danger and is within 3 metres of "
        "cover may take it by a plain dodge check: he moves up to 3 metres to a point that has "
        "the cover between it and the origin, before the attack strikes. A failure leaves him "
        "where he is.",
        ru="От пуль и взрывов тот, кто знает об угрозе и находится в пределах 3 метров от укрытия, "
        "может укрыться простой проверкой Уклонения: он перемещается до 3 метров в точку, между "
        "которой и источником атаки лежит укрытие, ещё до попадания. При неудаче остаётся на "
        "месте.",
        source="«в пределах трех метров от укрытия и знает, что огонь или взрыв неизбежны, "
        "сделайте бросок на Уклонение»",
    ),
    Rule(
        id="SK-COVER-2",
        en="Without cover within 3 metres no dodge is rolled.",
        ru="Если в пределах 3 метров укрытия нет, Уклонение не бросают.",
        source="«Если укрытия нет, Уклонение не принесет никакой пользы»",
    ),
    Rule(
        id="SK-FREE-1",
        en="Breaking free is an opposed check: the better of strength times 5 and unarmed combat "
        "against the holder's unarmed combat, or, where the encounter says so, against the roll "
        "that made the hold. The same roll keeps the hold, and so does failing both.",
        ru="Высвобождение — встречная проверка: лучшее из СИЛ×5 и Рукопашного боя против "
        "Рукопашного боя удерживающего либо, если так решено для боя, против броска, которым "
        "сделан захват. При равных бросках и при неудаче обоих захват остаётся.",
        source='«Бросьте либо СИЛ×5, либо "Рукопашный бой", в зависимости от того, что лучше — '
        'против "Атаки" персонажа, применяющего Захват»',
    ),
)
