"""Rules in words: guard."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

GUARD: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-GUARD-1",
        en="A warrior on foot who is not engaged may go on guard as its action.",
        ru="Пеший воин, который не сражается, может встать в караул; это его действие.",
        source="«Пешие воины могут встать в караул в ходе активации», «бойцы, которые сражаются, "
        "не могут встать в караул»",
    ),
    Rule(
        id="ML-GUARD-2",
        en="It does not move any more or shoot in this turn. It may have moved before, unless "
        "`guard_after_move` = false.",
        ru="Больше он в этот ход не двигается и не стреляет. До этого он мог двигаться, если "
        "`guard_after_move` не false.",
        source="«Воин не может больше двигаться, или стрелять»",
    ),
    Rule(
        id="ML-GUARD-3",
        en="On guard one cannot mask. Who was masked when its turn began stays so; who masked in "
        "this turn may not go on guard.",
        ru="В карауле нельзя маскироваться. Кто начал ход замаскированным, таким и остаётся; кто "
        "замаскировался в этот ход, в караул не встаёт.",
        source="«Воин не может маскироваться, но может оставаться замаскированным, если он начал "
        "свой ход замаскированным»",
    ),
    Rule(
        id="ML-GUARD-4",
        en="In the enemy's turn it may shoot at any enemy it sees, at any moment.",
        ru="В ход противника он может стрелять в любого врага, которого видит, в любой момент.",
        source="«Во время хода противника воин может стрелять в любую цель, которою увидит»",
    ),
    Rule(
        id="ML-GUARD-5",
        en="It is asked, in a window, when an enemy moves, charges, masks or is revealed, and at "
        "the end of the turn, if somebody on guard is not stunned and has a ranged weapon; "
        "between any two actions of the enemy it may shoot unasked.",
        ru="Его спрашивают — окном — когда враг двигается, нападает, маскируется или раскрыт и в "
        "конце хода, если в карауле есть неоглушённый воин со стрелковым оружием; между любыми "
        "двумя действиями врага он может стрелять и без вопроса.",
        source="«до, или после ее движения, или в любой другой момент движения», «в любое время в "
        "течение хода противника»",
    ),
    Rule(
        id="ML-GUARD-6",
        en="With its shot the guard is over; it acts freely in its next turn.",
        ru="С выстрелом караул кончен; в свой следующий ход воин действует свободно.",
        source="«Как только боец в карауле пострелял, уберите маркер караула»",
    ),
    Rule(
        id="ML-GUARD-7",
        en="Who does not shoot in the enemy's turn is on guard no more at the end of that turn.",
        ru="Кто не стрелял в ход противника, выходит из караула в конце этого хода.",
        source="«Если воин в карауле не стреляет в ход противника, то он выходит из дозора»",
    ),
    Rule(
        id="ML-GUARD-8",
        en="It leaves guard at once when it loses a wound, suffers a harmful effect, is moved by "
        "force, becomes engaged, is stunned or begins to flee. With `guard_lost_on` = `hit` a "
        "roll that hits it, or a lost fight, is enough.",
        ru="Он сразу выходит из караула, если потерял рану, пострадал от вредного эффекта, "
        "сдвинут силой, вступил в ближний бой, оглушён или начал убегать. При `guard_lost_on` = "
        "`hit` хватает попадания или проигранного боя.",
        source="«Если воин пострадал от вражеского огня, или чего-либо ещё, то он немедленно "
        "выходит из караула», «модель вынуждена двигаться»",
    ),
    Rule(
        id="ML-GUARD-9",
        en="The player names shooter, target and weapon. In the window of a move or charge a shot "
        "at the mover may name a point of its path, else it is the furthest one used so far; "
        "there the mover stands for line of sight, sight, range and cover. Points never go back "
        "within one movement.",
        ru="Игрок называет стрелка, цель и оружие. В окне движения или нападения стреляя в "
        "идущего, можно назвать точку его пути, иначе это самая дальняя из уже использованных; "
        "там он и стоит для видимости, дальности и укрытия. Назад по пути точки не идут.",
        source="«объявите об этом, а затем укажите, кто и по кому стреляет»",
    ),
    Rule(
        id="ML-GUARD-10",
        en="A guard shoots at a target it sees alone; the shot is worked out as usual. A mover "
        "who is killed, or whose unit panics, stays at that point, flees from there, and goes no "
        "further; one who is only wounded goes on.",
        ru="Караульный стреляет только в цель, которую видит; стрельба обычная. Если идущий убит "
        "или его отряд запаниковал, он остаётся в этой точке, бежит оттуда и дальше не идёт; "
        "только раненый идёт дальше.",
        source="«Боец в дозоре может стрелять только в ту цель, которая попадает в радиус "
        "видимости модели», «Отработайте стрельбу как обычно»",
    ),
    Rule(
        id="ML-GUARD-11",
        en="−1 to hit on guard against a fleeting target: a warrior who in the present activation "
        "left masking by its own deed or declared `mask`. Being detected is no own deed.",
        ru="−1 на Попадание в карауле по мимолётной цели: воину, который в текущую активацию сам "
        "вышел из маскировки или объявил `mask`. Обнаружение — не собственный поступок.",
        source="«специальный модификатор -1 на Попадание при стрельбе по появляющимся или "
        "исчезающим целям во время дозора»",
    ),
    Rule(
        id="ML-GUARD-12",
        en="−1 to hit for a guard who shoots at an enemy charging that very guard. It is the same "
        "modifier: with ML-GUARD-11 it is −1 in all, with `guard_penalty_stacks` −2.",
        ru="−1 на Попадание, если караульный стреляет во врага, который нападает именно на него. "
        "Это тот же модификатор: вместе с ML-GUARD-11 всего −1, при `guard_penalty_stacks` — −2.",
        source="«Этот же модификатор -1 на Попадание при стрельбе используется, если враг таранит "
        "караульного»",
    ),
)
