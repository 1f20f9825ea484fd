"""Rules in words: distances, sight, ways and templates."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

GEOMETRY: Final[tuple[Rule, ...]] = (
    Definition(
        id="ML-GEO-1",
        en="Lengths and places are whole numbers of u; one step is 1000 u. N steps are N · 1000 u.",
        ru="Длины и места — целые числа u; один шаг — 1000 u. N шагов — это N · 1000 u.",
        source="«расстоянию до маскирующихся в шагах»",
    ),
    Rule(
        id="ML-GEO-2",
        en="Two warriors are within T of each other if the distance of their edges is at most T: "
        "D² ≤ (T + r₁ + r₂)², exactly so included. Of a warrior and a point the one radius "
        "counts. With the option `measure` = `centre` no radius counts in a comparison of "
        "distances; for overlap, blocked paths, contact, templates, the edge of the table and "
        "flight the real bases always do.",
        ru="Два воина находятся в пределах T, если между краями их подставок не больше T: D² ≤ (T "
        "+ r₁ + r₂)², ровно T — тоже. Для воина и точки считается один радиус. При `measure` = "
        "`centre` радиусы в сравнении расстояний не учитываются; для наложения подставок, преград "
        "на пути, касания, шаблонов, края стола и бегства всегда берутся настоящие подставки.",
        source="«в пределах своего значения Подвижности», «в радиусе четырех шагов от себя»",
    ),
    Rule(
        id="ML-GEO-3",
        en="Nearest is whose edge is nearest. Roots are compared exactly, never taken. Ties go to "
        "the higher Mobility, then to the upload order (a service default).",
        ru="Ближайший — тот, чей край ближе. Корни сравниваются точно и не извлекаются. При "
        "равенстве — тот, у кого выше Подвижность, затем порядок загрузки (решение сервиса).",
        source="«ближайшего воина»",
    ),
    Rule(
        id="ML-GEO-4",
        en="A leg comes within T of a point if the nearest point of the segment, its ends "
        "included, is at most T away; exactly so counts.",
        ru="Отрезок пути проходит в пределах T от точки, если его ближайшая точка, включая концы, "
        "не дальше T; ровно T — тоже.",
    ),
    Rule(
        id="ML-GEO-5",
        en="A warrior is within T of a feature if its centre is in the polygon or on its edge, or "
        "at most T plus its radius from one of its edges; exactly so counts.",
        ru="Воин в пределах T от элемента местности, если его центр внутри многоугольника или на "
        "границе либо не дальше T плюс радиус подставки от одной из сторон; ровно столько — тоже.",
        source="«возле низкой стены»",
    ),
    Rule(
        id="ML-GEO-6",
        en="The line of sight runs from centre to centre. A `high` feature blocks it if a piece "
        "of positive length lies in its interior; along an edge or over a corner one sees, and "
        "bases never block.",
        ru="Линия видимости идёт от центра к центру. Высокий (`high`) элемент её перекрывает, "
        "если внутри него лежит отрезок ненулевой длины; вдоль стороны и через угол видно, "
        "подставки не мешают никогда.",
    ),
    Rule(
        id="ML-GEO-7",
        en="A warrior sees another if the line of sight is free and their edges are at most its "
        "`sight` apart. It looks all round, stunned and dazed as well.",
        ru="Воин видит другого, если линия видимости свободна и между краями не больше его "
        "радиуса видимости (`sight`). Обзор круговой; оглушённые и ослеплённые видят как обычно.",
        source="«попадает в радиус видимости модели», «в чьем поле зрения находится стрелок»",
    ),
    Rule(
        id="ML-GEO-8",
        en="A leg costs its length in u, rounded up; a path the sum of its legs, each rounded by "
        "itself.",
        ru="Отрезок пути стоит столько, какова его длина в u с округлением вверх; путь — сумма "
        "отрезков, каждый округляется отдельно.",
    ),
    Rule(
        id="ML-GEO-9",
        en="A point of a path is `leg` (from 0) and `permille` (0 to 1000): per axis the offset "
        "is the leg's difference times the permille, divided by 1000 and rounded towards the "
        "start of the leg. The end of a leg is the start of the next; points are ordered so.",
        ru="Точка пути — это `leg` (с нуля) и `permille` (от 0 до 1000): по каждой оси смещение "
        "равно разности концов отрезка, умноженной на `permille` и делённой на 1000, с "
        "округлением к началу отрезка. Конец отрезка — начало следующего; так точки и "
        "упорядочены.",
        source="«в любой другой момент движения»",
    ),
    Rule(
        id="ML-GEO-10",
        en="A disc of radius R covers a base of radius r fully if D ≤ R − r, partly if D < R + r, "
        "else not at all. All three are compared as squares.",
        ru="Диск радиуса R накрывает подставку радиуса r полностью при D ≤ R − r, частично при D "
        "< R + r, иначе не накрывает. Сравниваются квадраты.",
    ),
    Definition(
        id="ML-GEO-11",
        en="A beam or cone starts at the singer's centre and points at `aim`. With d from the "
        "singer to the aim, a is the dot product of d and the way to the warrior, b the amount of "
        "their cross product; both are compared with multiples of the root of d · d, by squaring.",
        ru="Луч и конус начинаются в центре Певца и направлены в точку `aim`. Пусть d — вектор от "
        "Певца к этой точке; a — скалярное произведение d и вектора к воину, b — модуль "
        "векторного. Оба сравниваются с кратными корня из d · d возведением в квадрат.",
    ),
    Rule(
        id="ML-GEO-12",
        en="A beam is a rectangle of its length and twice its half-width. A base is fully under "
        "it if it lies inside, edges included; partly if its centre is nearer to the rectangle "
        "than its radius; else not.",
        ru="Луч — прямоугольник своей длины и удвоенной полуширины. Подставка полностью под ним, "
        "если лежит внутри, край включительно; частично, если её центр ближе к прямоугольнику, "
        "чем радиус; иначе нет.",
    ),
    Rule(
        id="ML-GEO-13",
        en="A cone is an isosceles triangle with its apex at the singer and its half-width at the "
        "far end. A base is fully under it if it lies inside, edges included; partly if its "
        "centre is inside or nearer to the triangle than its radius; else not.",
        ru="Конус — равнобедренный треугольник с вершиной у Певца и полушириной на дальнем конце. "
        "Подставка полностью под ним, если лежит внутри, край включительно; частично, если её "
        "центр внутри или ближе к треугольнику, чем радиус; иначе нет.",
    ),
    Definition(
        id="ML-GEO-14",
        en="A base that touches a template's edge from inside is fully under it; one that touches "
        "from outside is not under it.",
        ru="Подставка, которая касается границы шаблона изнутри, полностью под ним; касается "
        "снаружи — не под ним.",
        source="«полностью попали под шаблон», «находящиеся частично внутри шаблона»",
    ),
)
