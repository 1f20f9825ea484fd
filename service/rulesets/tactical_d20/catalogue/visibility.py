"""Rules in words: flanking, concealment, the unseen, lying prone."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

FLANKING_AND_VISIBILITY: Final[tuple[Rule, ...]] = (
    # --- flanking -------------------------------------------------------------------------------
    Rule(
        id="TD-FLANK-1",
        en="A melee attack gets +2 if at least one partner flanks the target together with the "
        "attacker; never more than +2.",
        ru="Атака в ближнем бою получает +2, если хотя бы один напарник вместе с атакующим взял "
        "цель в тиски; больше +2 не бывает.",
        source="«бонус +2 к проверкам атаки», «не может превышать +2»",
    ),
    Rule(
        id="TD-FLANK-2",
        en="Only those who control at least one cell of the target's space count, attacker and "
        "partner alike. The partner is hostile to the target, or by option any other creature.",
        ru="Считаются только те, кто контролирует хотя бы одну клетку пространства цели, — и "
        "атакующий, и напарник. Напарник враждебен цели, а по опции — любое другое существо.",
        source="«считаются только те существа, которые контролируют занятую противником клетку»",
    ),
    Rule(
        id="TD-FLANK-3",
        en="A creature whose greatest reach is 0 neither flanks nor helps to.",
        ru="Существо, чья наибольшая зона досягаемости — 0 футов, не берёт в тиски и не помогает "
        "в этом.",
        source="«Существа с зоной досягаемости 0 футов не могут»",
    ),
    Rule(
        id="TD-FLANK-4",
        en="The segment between the centres of the two spaces passes through opposite sides of "
        "the target's space, opposite corners included.",
        ru="Отрезок между центрами двух пространств проходит через противоположные стороны "
        "пространства цели, включая противоположные углы.",
        source="«через центры пространства», «через противоположные стороны либо углы»",
    ),
    Rule(
        id="TD-FLANK-5",
        en="An attacker of more than one cell also flanks if the segment from the centre of any "
        "of its cells does. The partner counts at the centre of its space unless the option says "
        "any cell.",
        ru="Атакующий, занимающий больше одной клетки, берёт в тиски и тогда, когда подходит "
        "отрезок от центра любой его клетки. Напарник считается стоящим в центре своего "
        "пространства, если опция не говорит иного.",
        source="«если берущий в тиски занимает более одной клетки, он получает бонус, если любая "
        "из занятых им клеток»",
    ),
    # --- concealment ----------------------------------------------------------------------------
    Definition(
        id="TD-CONC-1",
        en="Concealment limits precise senses and gives attacks a chance to miss; it has a degree "
        "in per cent.",
        ru="Плохая видимость ограничивает точные способы восприятия и даёт атакам вероятность "
        "промаха; её степень — в процентах.",
        source="«ограничивает точные способы восприятия и может послужить причиной промаха»",
    ),
    Rule(
        id="TD-CONC-2",
        en="Shots, and blows at targets that are not adjacent: if any line from one corner of the "
        "attacker's cells to the corners of the target's space meets something that conceals, the "
        "target is concealed by the greatest degree met. The defender chooses the corner, or by "
        "option the attacker.",
        ru="Выстрел, а также удар по несоседней цели: если любая линия от выбранного угла клеток "
        "атакующего к углам пространства цели встречает то, что ухудшает видимость, цель видна "
        "плохо — в наибольшей из встреченных степеней. Угол выбирает защищающийся, а по опции — "
        "атакующий.",
        source="«выберите угол его клетки», «Если любая линия от этого угла к любому углу вашей "
        "клетки проходит через клетку или границу клетки, создающей плохую видимость»",
    ),
    Rule(
        id="TD-CONC-3",
        en="Only if the attack hits, d% is rolled for the defender: at most the chance, and it "
        "misses.",
        ru="Только если атака попала, за защищающегося бросается d%: выпало не больше вероятности "
        "— промах.",
        source="«если выпало 20 или меньше, атака завершается промахом»",
    ),
    Rule(
        id="TD-CONC-4",
        en="Several sources do not add: the highest degree counts, and one die is rolled.",
        ru="Несколько источников не складываются: действует наибольшая степень, бросок один.",
        source="«Несколько эффектов, дающих плохую видимость, не складываются»",
    ),
    Rule(
        id="TD-CONC-5",
        en="Some effects conceal from all attackers, whatever stands between: blur.",
        ru="Некоторые эффекты ухудшают видимость для всех атакующих, что бы ни было между ними: "
        "размытость.",
        source="«создают плохую видимость для всех атакующих»",
    ),
    Rule(
        id="TD-CONC-6",
        en="A blow at an adjacent target: it is concealed only if every cell of its space "
        "conceals, by the least of the greatest degrees of its cells.",
        ru="Удар по соседней цели: её плохо видно, только если видимость ухудшена в каждой клетке "
        "её пространства; степень — наименьшая из наибольших по клеткам.",
        source="«только если на всём занимаемом ей пространстве»",
    ),
    Rule(
        id="TD-CONC-7",
        en="The game master decides degrees; for one target and attacker his word replaces what "
        "was worked out, blur included.",
        ru="Степень определяет ведущий; для пары цели и атакующего его слово заменяет "
        "вычисленное, включая размытость.",
        source="«принимает ведущий»",
    ),
    Rule(
        id="TD-CONC-8",
        en="Low light on any cell of the target conceals it, and so does darkness on a part of "
        "its space; darkness over the whole space takes the line of sight. By option light counts "
        "on the line, too.",
        ru="Низкий уровень освещённости в любой клетке цели ухудшает видимость, как и темнота в "
        "части её пространства; темнота во всём пространстве лишает линии видимости. По опции "
        "освещение считается и на линии.",
        source="«Темнота или низкий уровень освещённости»",
    ),
    Rule(
        id="TD-CONC-9",
        en="Darkvision ignores darkness and low light, low-light vision low light alone. Neither "
        "helps against smoke or invisibility.",
        ru="Ночное зрение не замечает темноты и низкого уровня освещённости, сумеречное — только "
        "низкого уровня освещённости. Против дыма и невидимости они не помогают.",
        source="«не оказывают влияния, если у вашего противника ночное зрение», «видят при низком "
        "уровне освещённости так же хорошо, как и при среднем»",
    ),
    # --- the unseen -----------------------------------------------------------------------------
    Rule(
        id="TD-UNSEEN-1",
        en="With a line of effect but no line of sight the target is unseen: it cannot be "
        "attacked.",
        ru="Если линия досягаемости есть, а линии видимости нет, цель не видна: атаковать её "
        "нельзя.",
        source="«может провести до вас линию досягаемости, но не линию видимости»",
    ),
    Rule(
        id="TD-UNSEEN-2",
        en="One may attack a cell in which one believes an unseen creature to be, not one in "
        "which one sees a creature.",
        ru="Можно ударить по клетке, в которой, по мнению атакующего, стоит невидимый противник, "
        "но не по той, где существо видно.",
        source="«вправе ударить по клетке»",
    ),
    Rule(
        id="TD-UNSEEN-3",
        en="A hit on an unseen creature in the cell misses by 50 per cent, or by its concealment "
        "if that is more; an empty cell is a miss. Players are not told which a miss was, and d% "
        "is always drawn unless the d20 is a natural 1.",
        ru="Попадание по невидимому существу в клетке — промах с вероятностью 50 %, а если плохая "
        "видимость больше, то с её вероятностью; пустая клетка — промах. Каким был промах, "
        "игрокам не сообщают, и d% бросается всегда, кроме выпавшей на к20 единицы.",
        source="«вероятность промаха 50% (а не 20%, как при плохой видимости)»",
    ),
    # --- lying prone ----------------------------------------------------------------------------
    Rule(
        id="TD-PRONE-1",
        en="Whoever lies on the ground is prone: −4 to melee attacks, out of turn as well; "
        "nothing on shots.",
        ru="Кто лежит на земле, распластан: −4 к атакам в ближнем бою, в том числе внеочередным; "
        "на выстрелы это не влияет.",
        source="«Если вы лежите на земле, вы распластаны», «штраф –4 к атакам в ближнем бою»",
    ),
    Rule(
        id="TD-PRONE-2",
        en="A prone target has +4 to armour class against ranged attacks.",
        ru="Распластанная цель получает +4 к КБ против дистанционных атак.",
        source="«бонус +4 к КБ против дистанционных атак»",
    ),
    Rule(
        id="TD-PRONE-3",
        en="A prone target has −4 to armour class against melee attacks.",
        ru="Распластанная цель получает −4 к КБ против атак в ближнем бою.",
        source="«штраф –4 к КБ против атак в ближнем бою»",
    ),
    Rule(
        id="TD-PRONE-4",
        en="In zero gravity whoever is knocked down spins instead: −2 to attacks and to armour "
        "class and no moving until it has righted itself (service defaults).",
        ru="В невесомости сбитый с ног начинает неконтролируемо вращаться: −2 к атакам и к КБ и "
        "никаких перемещений, пока он не выровняется (по умолчанию сервиса).",
        source="«не распластываетесь, а начинаете неконтролируемо вращаться»",
    ),
)
