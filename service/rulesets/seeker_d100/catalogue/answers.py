"""Rules in words: resisting, standing rolls, reactions, movement and holds."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

ANSWERS: Final[tuple[Rule, ...]] = (
    Rule(
        id="SK-RES-1",
        en="Resisting is a block or counter-attack with melee weapons or unarmed combat, against "
        "attacks made with these skills.",
        ru="Сопротивление — блок или контратака Оружием ближнего боя или Рукопашным боем против "
        "атак этими же навыками.",
        source='«сопротивление навыками "Оружие ближнего боя" или "Рукопашный бой" атакам при '
        "помощи аналогичных навыков»",
    ),
    Rule(
        id="SK-RES-2",
        en="It is an opposed check against the attack roll; winning stops the attack.",
        ru="Это встречная проверка против броска атаки; победа останавливает атаку.",
        source="«Блок или контратака»",
    ),
    Rule(
        id="SK-RES-3",
        en="A won resist also deals the damage of the resisting weapon, doubled on a critical "
        "roll, unless it only blocks.",
        ru="Выигранное сопротивление ещё и наносит урон оружием, которым сопротивляются (при "
        "критическом успехе двойной), если это не только блок.",
        source="«контратакует и блокирует» / «контратакует или блокирует»",
    ),
    Rule(
        id="SK-STAND-1",
        en="An attack action with melee weapons or unarmed combat also resists: until the end of "
        "the round its roll stands against every later melee attack. Firearms do not.",
        ru="Атакующее действие Оружием ближнего боя или Рукопашным боем — ещё и сопротивление: "
        "до конца хода его бросок действует против каждой следующей атаки ближнего боя. Для "
        "огнестрельного оружия это не так.",
        source="«также означает, что ваш Искатель контратакует или блокирует»",
    ),
    Rule(
        id="SK-STAND-2",
        en="The roll of a dodge or resist stands until the end of the round against everything it "
        "can answer, without asking, even against an attack the combatant does not know of.",
        ru="Бросок уклонения или сопротивления действует до конца хода против всего, чему может "
        "ответить, без вопросов и даже против атаки, о которой боец не знает.",
    ),
    Rule(
        id="SK-STAND-3",
        en="Standing rolls and readiness to answer end with the round, and at once when the "
        "combatant is held or out of the fight.",
        ru="Действующие броски и готовность ответить кончаются с концом хода и сразу, если боец "
        "схвачен или выбыл.",
    ),
    Rule(
        id="SK-REACT-1",
        en="Dodging and resisting are actions: who has not acted in the round may answer an attack "
        "so, and that is his action. Who has acted may not, except by a standing roll.",
        ru="Уклонение и сопротивление — действия: кто в этом ходу ещё не действовал, может так "
        "ответить на атаку, и это его действие. Кто уже действовал, не может, разве что действует "
        "его прежний бросок.",
        source="«одно из следующих действий»",
    ),
    Rule(
        id="SK-REACT-2",
        en="Melee attacks are dodged or resisted, thrown weapons and arrows dodged, from bullets "
        "and explosives one takes cover; anything may be let pass. Asked are only the active, "
        "aware and not held; one who holds somebody may only resist. All victims in the area "
        "are asked.",
        ru="От атаки ближнего боя уклоняются или сопротивляются, от метательного оружия и стрел "
        "уклоняются, от пуль и взрывов укрываются; можно и не отвечать. Спрашивают только тех, "
        "кто в строю, знает об угрозе и не схвачен; удерживающий может только сопротивляться. "
        "Спрашивают всех, кто в зоне поражения.",
    ),
    Rule(
        id="SK-REACT-3",
        en="A dodge or resist taken in one's own turn is rolled when it is first needed and stands "
        "from then on.",
        ru="Уклонение или сопротивление, выбранное в свою очередь, бросают, когда оно впервые "
        "понадобится, и с тех пор бросок действует.",
    ),
    Rule(
        id="SK-MOVE-1",
        en="One moves up to 10 metres at a jog, 20 at a run, 30 at a dash.",
        ru="Перебежка — до 10 метров, бег — до 20, рывок — до 30.",
        source="«Перебежка - 10 метров, бег - 20 метров, рывок - 30 метров»",
    ),
    Rule(
        id="SK-MOVE-2",
        en="The three gaits differ in their limit only.",
        ru="Перебежка, бег и рывок различаются только пределом.",
    ),
    Rule(
        id="SK-MOVE-3",
        en="Moving usually needs no roll. If the game master demands one it is against dexterity "
        "times 5; a failure spends the action and moves nobody.",
        ru="Движение обычно не требует броска. Если его требует ведущий, это проверка ЛОВ×5; при "
        "неудаче действие потрачено, а боец остаётся на месте.",
        source="«Обычно не требует броска (в ином случае ЛОВ ×5)»",
    ),
    Rule(
        id="SK-MOVE-4",
        en="One goes up to 3 metres beside another action.",
        ru="Выполняя иное действие, можно пройти до 3 метров.",
        source="«До 3 метров, выполняя иное действие»",
    ),
    Rule(
        id="SK-GRAB-1",
        en="Grappling is a check of unarmed combat that may be dodged or resisted; success holds "
        "the target, on the ground or against something, without damage.",
        ru="Захват — проверка Рукопашного боя, от которой можно уклониться или которой можно "
        "сопротивляться; при успехе цель обездвижена на земле либо на чём-то, без урона.",
        source='«Попытка обездвижить цель на земле, либо на чем-то помощью "Рукопашного боя"»',
    ),
    Rule(
        id="SK-GRAB-2",
        en="Attack actions with melee weapons or unarmed combat at a held target, by anyone, have "
        "20 per cent more; where the encounter says so, unarmed ones only.",
        ru="Атакующие действия Оружием ближнего боя или Рукопашным боем по схваченной цели, чьи бы "
        "они ни были, получают +20 %; если так решено для боя — только невооружённые.",
        source="«Все невооруженные атаки или атаки рукопашного боя по схваченной цели имеют бонус "
        "+ 20%»",
    ),
    Rule(
        id="SK-GRAB-3",
        en="The holder may attack the held one in later turns, and nobody else.",
        ru="Удерживающий может атаковать схваченного в следующие ходы, но никого другого.",
        source="«Персонаж, удерживающий цель, может атаковать ее в более поздних ходах»",
    ),
    Rule(
        id="SK-GRAB-4",
        en="The held one may try to break free once a round and do nothing else: no reaction, no "
        "standing roll.",
        ru="Схваченный может раз за ход попытаться освободиться и ничего больше: ни реакций, ни "
        "действующих бросков.",
        source="«может попытаться освободиться один раз за ход, но ничего больше»",
    ),
    Rule(
        id="SK-GRAB-5",
        en="A hold ends by breaking free, by release, or when the holder is held, unconscious or "
        "dead. One holder holds one target; a target has one holder.",
        ru="Захват кончается высвобождением, отпусканием или тем, что удерживающий схвачен, без "
        "сознания или мёртв. Один держит одного, и одного держит один.",
    ),
)
