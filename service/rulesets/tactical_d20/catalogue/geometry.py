"""Rules in words: exact geometry, and the defaults of the service."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

GEOMETRY_AND_DEFAULTS: Final[tuple[Rule, ...]] = (
    Rule(
        id="TD-GEO-1",
        en="Points are measured in half cells, so that corners and centres are whole numbers: the "
        "corner (X, Y) is (2X, 2Y), the centre of a space (2x+size, 2y+size).",
        ru="Точки измеряются в половинах клетки, поэтому углы и центры — целые числа: угол (X, Y) "
        "— это (2X, 2Y), центр пространства — (2x+размер, 2y+размер).",
    ),
    Rule(
        id="TD-GEO-2",
        en="The distance of creatures is five feet for each cell between their nearest cells, "
        "every second diagonal counting double (by option each one once), and at least their "
        "difference in elevation.",
        ru="Расстояние между существами — пять футов за клетку между их ближайшими клетками, "
        "каждая вторая диагональ считается вдвойне (по опции — каждая один раз), и не меньше "
        "разницы высот.",
    ),
    Rule(
        id="TD-GEO-3",
        en="A creature controls the cells of a target if it is able to act, the greatest reach of "
        "its ready melee weapons is above 0 and covers the distance, and it has a line of effect.",
        ru="Существо контролирует клетки цели, если может действовать, наибольшая зона "
        "досягаемости его готового оружия ближнего боя больше 0 и покрывает расстояние, и линия "
        "досягаемости есть.",
    ),
    Rule(
        id="TD-GEO-4",
        en="A line between corners meets the cells whose inside it crosses, the borders that it "
        "crosses or runs along, by option the cells along whose side it runs, and what surrounds "
        "a pinched corner. Touching a single point is not meeting.",
        ru="Линия между углами встречает клетки, внутренность которых пересекает, границы, "
        "которые пересекает или вдоль которых идёт, по опции — клетки, вдоль стороны которых "
        "идёт, и всё вокруг зажатого угла. Касание в одной точке не считается.",
    ),
    Definition(
        id="TD-GEO-5",
        en="A corner on the line is pinched if both ways round it are closed; where the line "
        "begins or ends, if every way from the cells of the space there is.",
        ru="Угол на линии зажат, если закрыты оба пути вокруг него; в начале и в конце линии — "
        "если закрыт каждый путь от клеток стоящего там пространства.",
    ),
    Rule(
        id="TD-GEO-6",
        en="There is a line of effect, or of sight, if at least one line between corners of the "
        "cells of both is not interrupted. Running along the face of one wall interrupts nothing, "
        "running between two does.",
        ru="Линия досягаемости или видимости есть, если не прервана хотя бы одна линия между "
        "углами клеток обоих. Линия вдоль одной стены не прерывается, между двумя — прерывается.",
    ),
    Rule(
        id="TD-GEO-7",
        en="A segment passes opposite sides of a space if it crosses the inside and meets the "
        "west and east, or the north and south side, corners included.",
        ru="Отрезок проходит через противоположные стороны пространства, если пересекает "
        "внутренность и встречает западную и восточную либо северную и южную стороны, включая "
        "углы.",
    ),
    Rule(
        id="TD-SD-1",
        en="Initiative: d20 and bonus, the higher first; ties by the bonus, then by who came "
        "first. By option the order of entry, without dice.",
        ru="Инициатива: к20 и бонус, больший результат ходит раньше; при ничьей — больший бонус, "
        "затем тот, кто раньше вступил в бой. По опции — порядок вступления, без костей.",
    ),
    Rule(
        id="TD-SD-2",
        en="An attack hits if d20 and modifiers reach the armour class; a natural 20 always hits, "
        "a natural 1 never. A natural 20 whose total reaches the class is critical: dice and "
        "bonus of the damage double.",
        ru="Атака попадает, если к20 с модификаторами не меньше КБ; выпавшие 20 всегда попадают, "
        "выпавшая 1 — никогда. Выпавшие 20, чья сумма не меньше КБ, — критическое попадание: "
        "кости и бонус урона удваиваются.",
    ),
    Rule(
        id="TD-SD-3",
        en="Damage reduces hit points: at 0 and less one is unconscious, at minus the maximum "
        "dead. Raised above 0, neither any more.",
        ru="Урон уменьшает пункты здоровья: при 0 и меньше боец без сознания, при минус максимуме "
        "— мёртв. Поднятый выше 0 — уже ни то ни другое.",
    ),
    Rule(
        id="TD-SD-4",
        en="Shots: each range increment after the first costs 2; beyond the last one there is no "
        "shot.",
        ru="Стрельба: каждый шаг дальности после первого стоит 2; дальше последнего стрелять "
        "нельзя.",
    ),
)
