"""Rules in words: the map, lines and distances."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

GROUND: Final[tuple[Rule, ...]] = (
    Rule(
        id="SQ-MAP-1",
        en="A map is read by the legend: a full block is a wall, a full stop an empty place, all "
        "else as listed. Every cell is of exactly one terrain.",
        ru="Карта читается по легенде: сплошной блок — стена, точка — пустое место, остальное — "
        "как в списке. У каждой клетки ровно один вид местности.",
        source='«█ - это очевидная стена, точка - очевидное "пустое место"»',
    ),
    Rule(
        id="SQ-MAP-2",
        en="How a text becomes a map: one leading byte order mark and one final line feed are "
        "dropped, CR LF is LF; then all lines are equally long, at most 256 by 256, every "
        "character is a glyph of the legend, and each named character is there once.",
        ru="Как текст становится картой: отбрасываются метка порядка байтов в начале и один "
        "перевод строки в конце, CR LF — это LF; все строки одной длины, не больше 256 на 256, "
        "каждый знак — из легенды, каждый именной персонаж — не больше одного раза.",
        source="«сначала прочитай легенду»",
    ),
    Rule(
        id="SQ-MAP-3",
        en="An obstacle that can be shot through stops movement alone; one that cannot be shot "
        "through stops movement and shots.",
        ru="Простреливаемое препятствие мешает только перемещению, непростреливаемое — "
        "перемещению и выстрелам.",
        source="«Простреливаемое препятствие (|)», «Непростреливаемое препятствие (X)»",
    ),
    Rule(
        id="SQ-MAP-4",
        en="A reserved place is floor for every rule. At the start whoever has no cell yet is put "
        "on the first free reserved one, row by row, in the order of entry.",
        ru="Резервированное место для всех правил — пол. В начале боя боец без позиции ставится "
        "на первое свободное резервированное место по строкам, в порядке появления бойцов.",
        source="«Резервированное место (0)»",
    ),
    Rule(
        id="SQ-MAP-5",
        en="Each glyph of a unit is one combatant, each glyph of a named character that character.",
        ru="Каждый знак бойца — один боец, каждый знак именного персонажа — этот персонаж.",
        source="«Чужие (А)» … «Егор Шестирукий (Ш)»",
    ),
    Rule(
        id="SQ-LOS-1",
        en="A line runs from the centre of one cell to the centre of another. A blocking cell "
        "between them whose interior it passes through stops it.",
        ru="Линия идёт из центра одной клетки в центр другой. Преграждающая клетка между ними, "
        "через внутренность которой проходит линия, её останавливает.",
    ),
    Rule(
        id="SQ-LOS-2",
        en="Where a line passes exactly through a corner of four cells it goes from cell to cell "
        "diagonally; the two cells beside it stop it if both block, by option if one does.",
        ru="Если линия проходит точно через угол четырёх клеток, она идёт по диагонали; две "
        "боковые клетки останавливают её, если преграждают обе, а по опции — если хотя бы одна.",
    ),
    Rule(
        id="SQ-LOS-3",
        en="Walls and closed doors stop sight; obstacles that cannot be shot through do by option. "
        "All three stop shots. Combatants and the two end cells never stop a line.",
        ru="Линию видимости останавливают стены и закрытые двери, по опции — и непростреливаемые "
        "препятствия. Линию выстрела — все трое. Бойцы и обе крайние клетки линию не "
        "останавливают.",
        source="«Простреливаемое препятствие», «Непростреливаемое препятствие»",
    ),
    Rule(
        id="SQ-LOS-4",
        en="The field of view is every cell with a clear line of sight, as far as the option "
        "`sight_range` lets one see. One looks into all directions.",
        ru="Поле зрения — все клетки с чистой линией видимости, не дальше, чем позволяет опция "
        "`sight_range`. Обзор круговой.",
        source="«в его поле зрения»",
    ),
    Rule(
        id="SQ-DIST-1",
        en="Distance is counted in cells: the greater of the two offsets; by option their sum, "
        "steps, or the straight line rounded down.",
        ru="Дистанция считается в клетках: большее из двух смещений; по опции — их сумма, шаги "
        "или прямая с округлением вниз.",
        source="«0-2 клетки»",
    ),
)
