"""Rules in words: exact geometry, and the defaults of the service."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

GEOMETRY_AND_DEFAULTS: Final[tuple[Rule, ...]] = (
    Rule(
        id="CF-GEO-1",
        en="Points are measured in half cells, so that centres and corners are whole numbers: "
        "the centre of cell (x, y) is (2x+1, 2y+1).",
        ru="Точки измеряются в половинах клетки, поэтому центры и углы — целые числа: центр "
        "клетки (x, y) — это (2x+1, 2y+1).",
    ),
    Definition(
        id="CF-GEO-2",
        en="A segment crosses a cell if it passes through its interior; touching a side or a "
        "corner is not crossing.",
        ru="Отрезок пересекает клетку, если проходит через её внутренность; касание стороны или "
        "угла — не пересечение.",
    ),
    Rule(
        id="CF-GEO-3",
        en="A line between cell centres meets the cells it crosses, the borders it crosses, and "
        "whatever surrounds a pinched corner.",
        ru="Линия между центрами клеток встречает клетки и границы, которые пересекает, и всё, "
        "что окружает зажатый угол.",
    ),
    Definition(
        id="CF-GEO-4",
        en="A corner on the line is pinched if both ways round it are closed: there is no "
        "shooting between two diagonal walls.",
        ru="Угол на линии зажат, если закрыты оба пути вокруг него: между двумя стенами по "
        "диагонали стрелять нельзя.",
    ),
    Rule(
        id="CF-GEO-5",
        en="The position is the best for the attacker over all lines between the cells of both. "
        "Who is in cover may lean into a free neighbouring cell to look round his own corner.",
        ru="Позиция — лучшая для атакующего по всем линиям между клетками обоих. Тот, кто в "
        "укрытии, может высунуться в свободную соседнюю клетку, чтобы выглянуть из-за своего "
        "угла.",
    ),
    Rule(
        id="CF-GEO-6",
        en="A segment passes opposite sides of a space if it crosses the interior and meets the "
        "west and east, or the north and south side, corners included.",
        ru="Отрезок проходит через противоположные стороны пространства, если пересекает его "
        "внутренность и встречает западную и восточную либо северную и южную стороны, включая "
        "углы.",
    ),
    Rule(
        id="CF-SD-1",
        en="Initiative: everybody rolls intellect; the higher sum acts first, ties go to the "
        "larger pool, then to who came first. A turn has two actions, any mixture.",
        ru="Инициатива: каждый бросает ИНТ; больший результат ходит раньше, при ничьей — больший "
        "пул, затем тот, кто раньше вступил в бой. В ходу два действия в любом сочетании.",
    ),
    Rule(
        id="CF-SD-2",
        en="The pool is the weapon's dice plus all modifiers, but at least one die. Where the "
        "floor is 0, an empty pool misses. There is no upper limit.",
        ru="Пул — это кости оружия и все модификаторы, но не меньше одной кости. Если порог "
        "равен 0, пустой пул — промах. Верхнего предела нет.",
    ),
    Rule(
        id="CF-SD-3",
        en="An attack hits if its total reaches the defence. A hit with at least three sixes is "
        "critical.",
        ru="Атака попадает, если сумма не меньше защиты. Попадание хотя бы с тремя шестёрками — "
        "критическое.",
    ),
    Rule(
        id="CF-SD-4",
        en="Damage is the sum of its dice less the soak, never below 0. A critical hit doubles "
        "the dice or counts each as six. At 0 health one is helpless, at minus the starting "
        "health dead.",
        ru="Урон — сумма его костей за вычетом поглощения, но не меньше 0. Критическое попадание "
        "удваивает кости или считает каждую за шестёрку. При здоровье 0 боец беспомощен, при "
        "минус начальном — мёртв.",
    ),
)
