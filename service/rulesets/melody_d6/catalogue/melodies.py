"""Rules in words: dampening, resistance, templates, lasting Melodies."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

MELODIES: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-DAMP-1",
        en="After a successful song without Monstrous Power the other side may dampen it once, "
        "with one of its singers who is on the table, neither flees nor is stunned, and is within "
        "`dampen_range` of the singer if that is set. It takes no line of sight and no action, "
        "and may be done engaged, masked, on guard, hoarse or keeping a Melody in play. Who may "
        "is a service default.",
        ru="После удачной Мелодии без Чудовищной Мощи другая сторона может один раз попытаться её "
        "заглушить одним из своих Певцов: он на столе, не убегает, не оглушён и в пределах "
        "`dampen_range` от Певца, если она задана. Ни видимости, ни действия не нужно; можно в "
        "бою, в маскировке, в карауле, охрипнув и держа свою Мелодию. Кто может — решение "
        "сервиса.",
        source="«При попытке заглушить мелодию так же могут возникнуть трудности»",
    ),
    Rule(
        id="ML-DAMP-2",
        en="Dampening rolls the dampener's `song_dice` D6; the total is their sum with "
        "`dampen_bonus` and all `mod_song`. The Melody is dampened if it reaches the song's "
        "result, equal included; then nobody is tested.",
        ru="Глушащий кидает свои `song_dice` кубиков D6; результат — их сумма с `dampen_bonus` и "
        "всеми `mod_song`. Мелодия заглушена, если он больше или равен результату при сотворении; "
        "тогда ни на кого она не действует.",
        source="«а не результату при сотворении»",
    ),
    Rule(
        id="ML-DAMP-3",
        en="Two or more natural 1s fail automatically; there is no mistake table for it.",
        ru="Две и более единицы — автоматический провал; таблицы ошибок тут нет.",
        source="«две или больше единицы на кубиках означают автоматический провал»",
    ),
    Rule(
        id="ML-DAMP-4",
        en="Two or more natural 6s succeed automatically.",
        ru="Две и более шестёрки — автоматический успех.",
        source="«а двойная шестерка – автоматический успех»",
    ),
    Rule(
        id="ML-DAMP-5",
        en="If a roll shows both, it is an automatic failure.",
        ru="Если выпало и то и другое — автоматический провал.",
        source="«Автоматический провал имеет больший приоритет, чем автоматический успех»",
    ),
    Rule(
        id="ML-DAMP-6",
        en="Automatic results are read from the first roll. Where there is none, an ordinary "
        "reroll of the dampener may change the total once; it makes no automatic result.",
        ru="Автоматический итог определяется по первому броску. Если его нет, обычный переброс "
        "глушащего может один раз изменить результат; автоматического итога он не даёт.",
        source="«так же, как и при сотворении Мелодии»",
    ),
    Rule(
        id="ML-DAMP-7",
        en="Nobody may even try to dampen a Melody sung with Monstrous Power, a lasting one not "
        "in the round of its creation.",
        ru="Мелодию, сыгранную с Чудовищной Мощью, нельзя даже пытаться заглушить; длительную — в "
        "раунд её сотворения.",
        source="«ее даже нельзя пытаться заглушить»",
    ),
    Rule(
        id="ML-RES-1",
        en="Resistance X Y concerns a Melody if X is its id, its colour, one of its tags, or the "
        "word `melody`.",
        ru="Сопротивление X Y относится к Мелодии, если X — её id, её цвет, одно из её слов-меток "
        "или слово `melody`.",
        source="«где Х – то, чему способен сопротивляться воин»",
    ),
    Rule(
        id="ML-RES-2",
        en="Each time a warrior falls under a Melody that X concerns, roll a D6: at most Y and "
        "nothing of this application affects it; more and it affects it as usual.",
        ru="Каждый раз, когда воин попадает под Мелодию, к которой относится X, кидается D6: не "
        "больше Y — воздействие на него не действует вовсе, больше — действует как обычно.",
        source="«Если число на кубике меньше или равно Y – воин никак не реагирует на воздействие»",
    ),
    Rule(
        id="ML-RES-3",
        en="Several that concern a Melody are rolled separately in listed order until one holds. "
        "Friendly Melodies are resisted, too, and the die is rolled even if Y is 6.",
        ru="Если подходит несколько Сопротивлений, их кидают по очереди списка, пока одно не "
        "сработает. Своим Мелодиям воин тоже сопротивляется; кубик кидают и при Y = 6.",
        source="«Каждый раз, когда воин попадает под действие Х»",
    ),
    Rule(
        id="ML-RES-4",
        en="Monstrous Power does not cancel Resistance, unless the option `mp_ignores_resistance` "
        "or that of the Melody says so; then no die is rolled.",
        ru="Чудовищная Мощь Сопротивление не отменяет, если этого не говорит опция "
        "`mp_ignores_resistance` или сама Мелодия; тогда кубик не кидают.",
        source="«перед которой невозможно устоять»",
    ),
    Definition(
        id="ML-RES-5",
        en="Resistance holds against Melodies alone, not against shots, fights or mistake tables.",
        ru="Сопротивление действует только против Мелодий, а не против стрельбы, ближнего боя и "
        "таблиц ошибок.",
        source="«то Мелодия действует на него как обычно»",
    ),
    Rule(
        id="ML-TPL-1",
        en="Every warrior whose base is fully under the template is affected: friend, foe, masked "
        "or fleeing.",
        ru="Мелодия действует на каждого воина, чья подставка полностью под шаблоном: своего, "
        "чужого, замаскированного, убегающего.",
        source="«Все воины, которые полностью попали под шаблон, попадают под действие Мелодии»",
    ),
    Rule(
        id="ML-TPL-2",
        en="A warrior who is partly under it rolls a D6 and is affected on 4 or more.",
        ru="На воина, который под шаблоном частично, Мелодия действует при 4+ на D6.",
        source="«бойцы, находящиеся частично внутри шаблона, подвержены ему при результате 4+ на "
        "D6»",
    ),
    Rule(
        id="ML-TPL-3",
        en="A warrior who is not under the template is not affected, and no die is rolled.",
        ru="На воина не под шаблоном Мелодия не действует, и кубик не кидают.",
    ),
    Rule(
        id="ML-TPL-4",
        en="A `ray` starts at its singer and never affects the singer itself; a template at a "
        "`point` may. Terrain does not stop templates: only the placement needs a line of sight "
        "to the point, where the Melody says so.",
        ru="Шаблон `ray` начинается у Певца и на него самого не действует; шаблон в точке "
        "(`point`) может. Местность шаблонам не мешает: линия видимости нужна только до точки, "
        "куда его кладут, если этого требует Мелодия.",
    ),
    Rule(
        id="ML-LAST-1",
        en="A lasting Melody stays in play until it ends; its template stays where it was placed.",
        ru="Длительная Мелодия остаётся в игре, пока не прекратится; её шаблон лежит там, куда "
        "его положили.",
        source="«некоторые из них производят длительный эффект»",
    ),
    Rule(
        id="ML-LAST-2",
        en="While it is in play its singer sings nothing, neither another Melody nor the same "
        "again. It may move, shoot, fight, go on guard, mask and dampen.",
        ru="Пока она в игре, её Певец не играет никаких Мелодий — ни другой, ни той же. "
        "Двигаться, стрелять, сражаться, стоять в карауле, маскироваться и глушить он может.",
        source="«певец, ее сыгравший, не может творить иных Мелодий»",
    ),
    Rule(
        id="ML-LAST-3",
        en="It ends at once when its singer is killed, begins to flee or leaves the table.",
        ru="Она прекращается сразу, если её Певец убит, начал убегать или покинул стол.",
        source="«Если же певец убит или убегает, Мелодия прекращает свое существование»",
    ),
    Rule(
        id="ML-LAST-4",
        en="Its player may stop it whenever no decision is open, in either side's turn; the "
        "singer may sing again at once if it has its action.",
        ru="Её игрок может прервать её в любой момент, когда не ждут ответа, в ход любой стороны; "
        "если у Певца осталось действие, он может сразу сыграть снова.",
        source="«певец может прервать игру по своему усмотрению»",
    ),
    Rule(
        id="ML-LAST-5",
        en="Dampening a lasting Melody is compared with its difficulty, not with its result; in "
        "the window of its creation, too, unless `lasting_dampen_at_creation` = `result`. "
        "ML-DAMP-3 to ML-DAMP-6 hold.",
        ru="Глушение длительной Мелодии сравнивается с её сложностью, а не с результатом; в окне "
        "сотворения тоже, если `lasting_dampen_at_creation` не `result`. Действуют ML-DAMP-3 … "
        "ML-DAMP-6.",
        source="«равное или большее сложности Мелодии, а не результату при сотворении»",
    ),
    Rule(
        id="ML-LAST-6",
        en="Sung with Monstrous Power it cannot be dampened in the round of its creation; from "
        "the next round on as usual. Its `mp_effects` stay.",
        ru="Сыгранную с Чудовищной Мощью нельзя заглушить в раунд сотворения; со следующего "
        "раунда — как обычно. Её `mp_effects` остаются.",
        source="«Мелодии, сыгранные с Чудовищной Мощью в последующие раунды могут быть заглушены "
        "как обычно»",
    ),
    Rule(
        id="ML-LAST-7",
        en="A side may try to dampen a given lasting Melody once per round, with "
        "`lasting_dampen_limit` = `per_player` one in all. An attempt in the window of its "
        "creation counts, a pass does not. Later attempts are made in the side's own turn, with "
        "`lasting_dampen_when` = `any_turn` in either, while no decision is open.",
        ru="Сторона может пытаться заглушить данную длительную Мелодию один раз за раунд, а при "
        "`lasting_dampen_limit` = `per_player` — одну на всех. Попытка в окне сотворения "
        "считается, отказ — нет. Позже пытаются в свой ход, при `lasting_dampen_when` = "
        "`any_turn` — в любой, когда не ждут ответа.",
        source="«Игрок может попытаться заглушить длительную Мелодию только один раз за раунд»",
    ),
    Rule(
        id="ML-LAST-8",
        en="Who is affected is tested at its creation (template die, Resistance), and again "
        "whenever a warrior who is not affected ends a move, charge, push or flight touching the "
        "template. Who ends one outside is affected no longer; who stays touching stays affected "
        "without a roll. Sung at a warrior it affects that one until it ends. When is a service "
        "default.",
        ru="На кого она действует, проверяют при сотворении (кубик за шаблон, Сопротивление) и "
        "каждый раз, когда воин, на которого она не действует, кончает движение, нападение, "
        "толчок или бегство, касаясь шаблона. Кто кончил снаружи, освобождается; кто остался под "
        "ним, остаётся под действием без броска. Сыгранная на воина действует на него до конца. "
        "Когда проверять — решение сервиса.",
        source="«попадает под действие»",
    ),
    Rule(
        id="ML-LAST-9",
        en="Effects of different lasting Melodies add up; two of one Melody do not: for each kind "
        "the delta of the larger amount counts.",
        ru="Эффекты разных длительных Мелодий складываются; двух одинаковых — нет: по каждому "
        "виду берётся больший по модулю.",
    ),
)
