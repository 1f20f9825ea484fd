"""Rules in words: cover of the ground, of low obstacles and of creatures."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

COVER: Final[tuple[Rule, ...]] = (
    Rule(
        id="TD-COVER-1",
        en="From one corner of the attacker's cells four lines run to the corners of the target's "
        "space: if any of them meets what blocks the line of effect or gives cover, the target "
        "has cover. The corner is the best for the attacker unless one is named.",
        ru="Из одного угла клеток атакующего к углам пространства цели идут четыре линии: если "
        "любая встречает то, что перекрывает линию досягаемости или даёт укрытие, у цели есть "
        "укрытие. Угол — лучший для атакующего, если он не назван.",
        source="«Если хоть одна линия, проведённая из этого угла к любому углу занимаемого целью "
        "пространства»",
    ),
    Rule(
        id="TD-COVER-2",
        en="Normal cover: +4 to armour class and +2 to Reflex saves.",
        ru="Обычное укрытие: +4 к КБ и +2 к испытаниям Реакции.",
        source="«бонусы +4 к КБ и +2 к испытаниям Реакции»",
    ),
    Rule(
        id="TD-COVER-3",
        en="Nobody can attack out of turn a target that has cover of any grade from the attacker.",
        ru="Внеочередная атака по цели, у которой есть хоть какое-то укрытие от атакующего, "
        "невозможна.",
        source="«не может совершить внеочередную атаку, если у вас есть укрытие»",
    ),
    Rule(
        id="TD-COVER-4",
        en="A line through the inside of another creature's cell gives cover, too: living cover.",
        ru="Линия через внутренность клетки другого существа тоже даёт укрытие — живое.",
        source="«либо через клетку, занятую другим существом»",
    ),
    Rule(
        id="TD-COVER-5",
        en="Partial cover, more than half of the target visible: +2 to armour class and +1 to "
        "Reflex. Obstacle or game master declare it; by option also where just one of the four "
        "lines meets anything.",
        ru="Частичное укрытие, цель видно более чем наполовину: +2 к КБ и +1 к испытаниям "
        "Реакции. Его объявляет препятствие или ведущий, а по опции оно и там, где что-то "
        "встречает ровно одна из четырёх линий.",
        source="«видно более чем наполовину»",
    ),
    Rule(
        id="TD-COVER-6",
        en="Improved cover doubles the bonuses: +8 and +4. Several sources do not add: the best "
        "bonus to armour class and, separately, the best one to Reflex count.",
        ru="Надёжное укрытие удваивает бонусы: +8 и +4. Несколько источников не складываются: "
        "берётся лучший бонус к КБ и, отдельно, лучший к испытаниям Реакции.",
        source="«модификаторы укрытия удваиваются (до +8 к КБ и +4 к испытаниям Реакции)»",
    ),
    Rule(
        id="TD-COVER-7",
        en="Effects that spread go round corners and ignore these bonuses.",
        ru="Эффекты типа «облако» огибают углы и игнорируют эти бонусы.",
        source="«эффекты типа “облако” могут огибать углы и игнорировать эти бонусы»",
    ),
    Rule(
        id="TD-COVER-8",
        en="The game master's word on a target and an attacker replaces the cover worked out.",
        ru="Слово ведущего о цели и атакующем заменяет вычисленное укрытие.",
    ),
    Rule(
        id="TD-COVER-9",
        en="Against an area effect cover is judged by the four lines from its origin alone; "
        "creatures in between give nothing.",
        ru="Против эффекта по области укрытие проверяется только по четырём линиям от его начала; "
        "существа на пути ничего не дают.",
        source="«против атак, проведённых с другой стороны укрытия»",
    ),
    # --- low obstacles --------------------------------------------------------------------------
    Rule(
        id="TD-LOW-1",
        en="An obstacle of at most half the target's height is low; a higher one is ordinary "
        "cover.",
        ru="Препятствие высотой не более половины роста цели — низкое; более высокое — обычное "
        "укрытие.",
        source="«не более половины вашего роста»",
    ),
    Rule(
        id="TD-LOW-2",
        en="A low obstacle covers only targets at most 30 feet from it.",
        ru="Низкое препятствие даёт укрытие только целям не дальше 30 футов от него.",
        source="«в пределах 30 футов (6 клеток)»",
    ),
    Rule(
        id="TD-LOW-3",
        en="It covers nothing from an attacker who is closer to it than the target.",
        ru="Оно не защищает от атакующего, который ближе к нему, чем цель.",
        source="«если он находится к нему ближе, чем цель»",
    ),
    # --- living and total cover -----------------------------------------------------------------
    Rule(
        id="TD-SOFT-1",
        en="Another living creature whose cell a line crosses gives +4 to armour class against "
        "ranged attacks; running along its border does not count.",
        ru="Другое живое существо, клетку которого пересекает линия, даёт +4 к КБ против "
        "дистанционных атак; линия вдоль границы его клетки не считается.",
        source="«Существа, в том числе противники, могут служить укрытием от дистанционных атак»",
    ),
    Rule(
        id="TD-SOFT-2",
        en="Living cover gives no bonus to Reflex, and one cannot hide behind it.",
        ru="Живое укрытие не даёт бонуса к испытаниям Реакции, и спрятаться за ним нельзя.",
        source="«не даёт бонусов к испытаниям Реакции и не позволяет прятаться»",
    ),
    Rule(
        id="TD-TOTAL-1",
        en="Without a line of effect the cover is total: no attack at all.",
        ru="Без линии досягаемости укрытие полное: атаковать нельзя.",
        source="«Существа не могут атаковать цели, находящиеся в полном укрытии»",
    ),
)
