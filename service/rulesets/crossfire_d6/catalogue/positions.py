"""Rules in words: general, range, elevation, cover, positions, visibility, suppression."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

POSITIONS: Final[tuple[Rule, ...]] = (
    Rule(
        id="CF-GEN-1",
        en="All situational modifiers change the number of dice in the attack pool, never the "
        "total. They are added up with their signs; order matters only for reading.",
        ru="Все ситуативные модификаторы меняют число костей в пуле атаки, а не сумму броска. "
        "Они складываются с учётом знака; порядок важен только для чтения.",
        source="«бонус 1к6 к атаке»",
    ),
    Definition(
        id="CF-GEN-2",
        en="The five mechanics of positioning are range, elevation, cover, suppression, and "
        "crossfire with flanking.",
        ru="Пять механик позиционирования: дистанция, возвышенность, укрытие, подавление и "
        "перекрёстный огонь с фланкированием.",
        source="«5 важных механик позиционирования»",
    ),
    Rule(
        id="CF-RANGE-1",
        en="A ranged attack loses one die for each increment of the weapon's effective range "
        "after the first. Exactly one increment away costs nothing.",
        ru="Дальнобойная атака теряет одну кость за каждый отрезок эффективной дальности после "
        "первого. Ровно один отрезок штрафа не даёт.",
        source="«штраф -1к6 за каждый такой отрезок дистанции после первого»",
    ),
    Rule(
        id="CF-RANGE-2",
        en="A shot is allowed up to the maximum range, inclusive: the one the weapon states, "
        "otherwise five times its effective range.",
        ru="Стрелять можно до максимальной дальности включительно: указанной у оружия, а если "
        "она не указана — до пяти эффективных дальностей.",
        source="«максимальная дальность оружия в 5 раз превышает его эффективную дальность»",
    ),
    Rule(
        id="CF-RANGE-3",
        en="The distance of two combatants is that of their nearest cells, 5 ft each. Diagonal "
        "steps count as one cell, or every second one as two. A greater difference of elevation "
        "counts instead.",
        ru="Расстояние между бойцами — это расстояние между ближайшими клетками, по 5 футов. "
        "Шаг по диагонали считается за одну клетку либо каждый второй — за две. Если разница "
        "высот больше, считается она.",
    ),
    Rule(
        id="CF-ELEV-1",
        en="A melee attacker at least 2 ft above the target gains one die.",
        ru="Рукопашная атака с высоты хотя бы на 2 фута больше, чем у цели, получает +1к6.",
        source="«минимум на 2` для рукопашных атак»",
    ),
    Rule(
        id="CF-ELEV-2",
        en="A shooter at least 10 ft above the target gains one die, however high. Being lower "
        "costs nothing.",
        ru="Дальнобойная атака с высоты хотя бы на 10 футов больше, чем у цели, получает +1к6, "
        "и не более того. Стрелять снизу вверх можно без штрафа.",
        source="«или 10` для дальнобойных атак», «бонус 1к6 к атаке по целям ниже»",
    ),
    Rule(
        id="CF-COVER-1",
        en="A target whose position against the attacker is open gives no cover penalty.",
        ru="Цель, открытая для этого противника, не даёт штрафа укрытия.",
        source="«Цели без укрытия уязвимы для дальнобойных атак»",
    ),
    Rule(
        id="CF-COVER-2",
        en="A ranged attack on a target in cover against this attacker loses two dice. A melee "
        "attack does only where the encounter says so.",
        ru="Дальнобойная атака по цели, которая в укрытии от этого противника, получает −2к6. "
        "Рукопашная — только если так решено для этого боя.",
        source="«накладывает штраф -2к6 к броскам атаки по ней»",
    ),
    Definition(
        id="CF-COVER-3",
        en="Dice of suppression go into the same pool and may offset the cover penalty; there "
        "is no separate cancelling.",
        ru="Кости подавления идут в тот же пул и могут перекрыть штраф укрытия; отдельной "
        "отмены штрафа нет.",
        source="«штраф может быть нейтрализован правилами подавления»",
    ),
    Rule(
        id="CF-COVER-4",
        en="Cover, an ally near the target and poor visibility are one and the same cover "
        "penalty: only the first of them counts, unless the encounter counts each.",
        ru="Укрытие, союзник рядом с целью и плохая видимость — это один и тот же штраф укрытия: "
        "считается только первый из них, если для боя не выбрано считать каждый.",
        source="«со штрафом укрытия -2к6», «также накладывают штраф укрытия»",
    ),
    Rule(
        id="CF-POS-1",
        en="Against each enemy a combatant is open, in cover or blocked. It follows from the "
        "declared posture and the map; the game master may overrule it.",
        ru="Для каждого противника боец открыт, в укрытии или заблокирован. Это следует из "
        "объявленной позы и карты; ведущий может решить иначе.",
        source="«Существует 3 позиции»",
    ),
    Rule(
        id="CF-POS-2",
        en="Changing the posture takes a movement: an action of its own, or the end of a move.",
        ru="Смена позы требует передвижения: это отдельное действие или конец перемещения.",
        source="«требуют использования передвижения, чтобы между ними переключаться»",
    ),
    Rule(
        id="CF-POS-3",
        en="An open combatant has no bonus of cover. Who merely stands next to a wall is open.",
        ru="Открытый боец не получает бонусов от укрытия. Тот, кто просто стоит у стены, открыт.",
        source="«Персонаж без бонусов от укрытия считается открытым»",
    ),
    Rule(
        id="CF-POS-4",
        en="A combatant in cover can shoot at that enemy without moving; the line of sight is "
        "open both ways.",
        ru="Боец в укрытии может стрелять в этого противника без передвижения; линия обзора "
        "открыта в обе стороны.",
        source="«может совершать дальнобойную атаку по противнику без использования передвижения»",
    ),
    Rule(
        id="CF-POS-5",
        en="A blocked combatant would have to spend a movement to shoot at that enemy; there is "
        "no line of sight.",
        ru="Заблокированному бойцу нужно потратить передвижение, чтобы выстрелить в этого "
        "противника; линии обзора нет.",
        source="«нужно потратить действие на перемещение, чтобы выстрелить»",
    ),
    Rule(
        id="CF-POS-6",
        en="Sight is symmetrical: who cannot be shot at by an enemy for this reason cannot shoot "
        "at that enemy either.",
        ru="Обзор взаимен: в кого противник не может стрелять по этой причине, тот и сам не "
        "может стрелять в этого противника.",
        source="«не может быть полностью защищен … и в то же время совершать дальнобойные атаки»",
    ),
    Rule(
        id="CF-POS-7",
        en="A change of posture need not leave the cell. In cover or blocked needs a wall or "
        "cover adjacent to one's space.",
        ru="Смена позы не обязательно выводит из клетки. Чтобы оказаться в укрытии или "
        "заблокированным, нужна стена или укрытие рядом.",
        source="«не обязательно выводит персонажа из его квадрата»",
    ),
    Definition(
        id="CF-POS-8",
        en="Going back to blocked is another movement with its own cost; there is no reaction "
        "and no free way back.",
        ru="Вернуться в заблокированное состояние — ещё одно передвижение со своей ценой; "
        "бесплатно или реакцией вернуться нельзя.",
        source="«Еще одно перемещение требуется, чтобы вернуться»",
    ),
    Rule(
        id="CF-POS-9",
        en="Nobody is blocked and opens up only while shooting. Cover on the line that is not "
        "next to the target gives nothing, unless the encounter counts intervening cover.",
        ru="Нельзя быть заблокированным и открываться только на время выстрела. Укрытие на линии, "
        "не примыкающее к цели, ничего не даёт, если для боя не учитывается промежуточное укрытие.",
        source="«не существует позиции, когда персонаж заблокирован, но открывается только во "
        "время совершения дальнобойной атаки»",
    ),
    Rule(
        id="CF-OBSC-1",
        en="A shot in poor visibility loses two dice, once however many causes: smoke or fog on "
        "the line (ends included), darkness at the target's end of it, or an invisible target.",
        ru="Выстрел при плохой видимости получает −2к6, один раз при любом числе причин: дым или "
        "туман на линии (включая её концы), темнота у цели либо невидимая цель.",
        source="«темнота, дым или туман», «Плохая видимость (дым, туман, невидимость) −2к6»",
    ),
    Rule(
        id="CF-PIN-1",
        en="Every ranged attack on a combatant gains his live suppression in dice, whoever "
        "shoots. It is 0 while he is far enough from where it began to build up.",
        ru="Каждая дальнобойная атака по бойцу получает столько костей, каково его подавление, "
        "кто бы ни стрелял. Оно равно 0, пока боец достаточно далеко от места, где оно началось.",
        source="«За каждый ход, во время которого вы остаетесь в одном и том же квадрате, "
        "противник получает дополнительную кость», «+1к6 за раунд»",
    ),
    Rule(
        id="CF-PIN-2",
        en="At the end of one's own turn the suppression grows by one, or falls to zero and "
        "starts anew here if one has moved far enough.",
        ru="В конце собственного хода подавление растёт на единицу либо, если боец переместился "
        "достаточно далеко, сбрасывается до нуля и отсчитывается с нового места.",
        source="«Когда вы перемещаетесь, этот эффект сбрасывается до нуля»",
    ),
    Rule(
        id="CF-PIN-3",
        en="The displacement is horizontal, 5 ft for each cell; heights are ignored. Less than "
        "10 ft counts as having stayed.",
        ru="Смещение считается по горизонтали, по 5 футов за клетку; высоты не учитываются. "
        "Меньше 10 футов — боец остался на месте.",
        source="«переместиться, хотя бы на 10` от вашей предыдущей позиции»",
    ),
    Rule(
        id="CF-PIN-4",
        en="Only the net displacement counts: going away and back is staying. On request this "
        "also holds for coming back on the very next turn.",
        ru="Считается только итоговое смещение: уйти и вернуться — значит остаться. По выбору "
        "для боя это верно и для возвращения на следующем ходу.",
        source="«возвращение [в] тот же квадрат не считается “передвижением”»",
    ),
    Rule(
        id="CF-PIN-5",
        en="Some professions are harder to pin: the first dice of suppression do not count.",
        ru="Некоторые профессии тяжелее подавить: первые кости подавления не считаются.",
        source="«Некоторые профессии, например снайпер, тяжелее подавить»",
    ),
    Rule(
        id="CF-PIN-6",
        en="Hiding is a check of agility against the aggressor's intellect; the hider wins ties. "
        "On success the present suppression no longer helps that aggressor.",
        ru="Чтобы скрыться, нужна проверка ЛОВ против ИНТ агрессора; ничья — в пользу того, кто "
        "скрывается. При успехе нынешнее подавление больше не помогает этому агрессору.",
        source="«пройдя успешную проверку ЛОВ против ИНТ, чтобы скрыться от вашего агрессора»",
    ),
)
