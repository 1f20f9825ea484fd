"""Rules in words: turns and movement."""

from typing import Final

from service.engine.vocabulary.catalogue import Definition, Rule

TURNS: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-TURN-1",
        en="Initiative: one D6 for each side, both again while they are equal; the higher goes "
        "first. With `initiative` = `fixed` the first side of the battle does, without dice.",
        ru="Инициатива: по одному D6 на сторону, при равенстве оба перебрасываются; у кого "
        "больше, тот ходит первым. При `initiative` = `fixed` первой ходит первая сторона боя, "
        "без кубиков.",
    ),
    Rule(
        id="ML-TURN-2",
        en="A round is a turn of the first side and one of the second. At the start of a turn: of "
        "the first in a round the counters of ordinary rerolls and of attempts at lasting "
        "Melodies begin anew; then FP; then `exposed` ends with `exposed_duration` = `next_turn`; "
        "then what counts within a turn; then rally. At its end: a guard window for the other "
        "side, the guard of the other side ends, `dazed` of this side ends, the round limit.",
        ru="Раунд — ход первой стороны и ход второй. В начале хода: если он первый в раунде, "
        "заново считаются обычные перебросы и попытки глушить длительные Мелодии; затем FP; затем "
        "при `exposed_duration` = `next_turn` снимается «раскрыт»; затем всё, что считается за "
        "ход; затем тесты на сбор. В конце хода: окно караула другой стороны, конец её караула, "
        "конец ослепления своих, предел раундов.",
        source="«один раз за раунд», «Во время хода противника», «в ходе активации»",
    ),
    Rule(
        id="ML-TURN-3",
        en="In a turn each unit of the side is activated at most once, one after another; a unit "
        "may be left out.",
        ru="За ход каждый отряд стороны активируется не больше одного раза, по очереди; отряд "
        "можно пропустить.",
    ),
    Rule(
        id="ML-TURN-4",
        en="In an activation each warrior may make one move or charge, then take one action: "
        "shoot, fight, sing or go on guard.",
        ru="За активацию воин может один раз двигаться или напасть, затем совершить одно "
        "действие: стрелять, сражаться, сыграть Мелодию или встать в караул.",
    ),
    Definition(
        id="ML-TURN-5",
        en="The source's two words for guard and watch are one state: guard.",
        ru="«Караул» и «дозор» — одно и то же состояние: караул.",
        source="«он выходит из дозора», «Маркер караула убирается»",
    ),
    Rule(
        id="ML-TURN-6",
        en="The battle ends when a side has no warrior on the table: the other side wins, or "
        "nobody if none has any. It ends with the last turn of `round_limit`: the side with more "
        "warriors on the table who do not flee wins, equal ones draw. The game master may end it. "
        "It is judged after each action or answer that is wholly resolved.",
        ru="Бой кончается, когда у стороны нет воинов на столе: побеждает другая, а если нет ни у "
        "кого — ничья. Он кончается с последним ходом предела `round_limit`: побеждает сторона, у "
        "которой больше воинов на столе, не считая убегающих, при равенстве — ничья. Бой может "
        "закончить ведущий. Проверяется после каждого полностью отработанного действия или "
        "ответа.",
    ),
    Rule(
        id="ML-MOVE-1",
        en="A path costs at most `move` and all `mod_move` of the lasting Melodies that affect "
        "the warrior at its start, never below 0; equal is legal. The same holds for a charge.",
        ru="Путь стоит не больше Движения с поправками `mod_move` длительных Мелодий, под "
        "действием которых воин находится в начале, но не меньше 0; ровно столько — можно. То же "
        "для нападения.",
    ),
    Rule(
        id="ML-MOVE-2",
        en="At every waypoint the whole base is on the table; it may touch the edge.",
        ru="В каждой точке пути вся подставка на столе; касаться края можно.",
    ),
    Rule(
        id="ML-MOVE-3",
        en="A leg has no piece of positive length in the interior of a `high` feature, and does "
        "not end with the centre strictly inside one. `low` features hinder nobody.",
        ru="Ни один отрезок пути ненулевой длины не проходит внутри высокого элемента и не "
        "кончается центром внутри него. Низкие элементы не мешают.",
    ),
    Rule(
        id="ML-MOVE-4",
        en="A leg does not pass within less than both radii of the centre of an enemy on the "
        "table; friends may be passed through. At the end the base overlaps no other.",
        ru="Отрезок пути не проходит ближе суммы радиусов от центра врага на столе; сквозь своих "
        "идти можно. В конце пути подставка ни на кого не накладывается.",
    ),
    Rule(
        id="ML-MOVE-5",
        en="A `move` does not end within 100 u of an enemy, edge to edge.",
        ru="Движение (`move`) не кончается в пределах 100 u от врага, от края до края.",
    ),
    Rule(
        id="ML-MOVE-6",
        en="A charge ends within 100 u of its target, edge to edge. Warriors of different sides "
        "within 100 u of each other are engaged, always by where they stand; who is engaged "
        "cannot move, shoot, sing, go on guard or mask.",
        ru="Нападение кончается в пределах 100 u от цели, от края до края. Воины разных сторон в "
        "пределах 100 u друг от друга сражаются — всегда по тому, где они стоят; кто сражается, "
        "не может двигаться, стрелять, играть Мелодию, встать в караул и маскироваться.",
        source="«бойцы, которые сражаются, не могут встать в караул»",
    ),
    Rule(
        id="ML-MOVE-7",
        en="A move or charge: checks; then masking is lost, of a mover whose end is no place to "
        "mask and of every charger; a guard window; who is still on the table and does not flee "
        "is put down at the end; automatic detection along the path; templates of lasting "
        "Melodies entered or left; after a charge all who are engaged leave guard and masking; a "
        "reveal window.",
        ru="Порядок движения и нападения: проверки; потеря маскировки — у нападающего и у того, "
        "кто кончит там, где маскироваться нельзя; окно караула; кто ещё на столе и не убегает, "
        "становится в конец пути; автоматическое обнаружение вдоль пути; вход под шаблоны "
        "длительных Мелодий и выход из-под них; после нападения все, кто сражается, выходят из "
        "караула и маскировки; окно раскрытия.",
    ),
    Rule(
        id="ML-MOVE-8",
        en="A push moves its target the whole distance along one axis away from the origin (the "
        "singer, or the centre of a disc): along x if the offset there is at least as large as "
        "along y. From the origin itself there is no push. If the end is off the table, overlaps "
        "a base or has its centre strictly inside a `high` feature, the target does not move. No "
        "guard window; detection and lasting templates as after a move.",
        ru="Толчок сдвигает цель на всё расстояние вдоль одной оси прочь от источника (Певца или "
        "центра диска): вдоль x, если смещение по x не меньше, чем по y. Из самого источника "
        "толчка нет. Если конец за краем стола, на чужой подставке или центром внутри высокого "
        "элемента, цель не двигается. Окна караула нет; обнаружение и длительные шаблоны — как "
        "после движения.",
        source="«модель вынуждена двигаться»",
    ),
)
