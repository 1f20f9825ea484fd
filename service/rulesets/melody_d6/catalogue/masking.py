"""Rules in words: masking, detection, ambush."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

MASKING: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-MASK-1",
        en="A side masks members of the active unit for `mask_fp_cost` FP, with one declaration "
        "per activation. Staying masked costs nothing.",
        ru="Сторона маскирует воинов активного отряда за `mask_fp_cost` FP, одним объявлением за "
        "активацию. Оставаться в маскировке ничего не стоит.",
        source="«Используя свои FP, Вы можете замаскировать свой отряд или воина-одиночку»",
    ),
    Rule(
        id="ML-MASK-2",
        en="It is declared in the movement phase and ends the warrior's movement; who has not "
        "moved ends a movement on the spot.",
        ru="Её объявляют в фазе движения, и движение воина на этом кончено; кто не двигался, "
        "завершает движение на месте.",
        source="«если он завершает движение возле»",
    ),
    Rule(
        id="ML-MASK-3",
        en="One masks within `mask_near` of a feature with `mask_mode` = `edge`, or of a vertex "
        "of one with `corner`; from the edge of the base, inclusive.",
        ru="Маскируются в пределах `mask_near` от элемента с `mask_mode` = `edge` или от вершины "
        "элемента с `corner`; от края подставки, включительно.",
        source="«возле низкой стены, колонны, камня, угла здания, обломков или любого подобного "
        "места»",
    ),
    Rule(
        id="ML-MASK-4",
        en="The declaration opens a guard window: those who mask are disappearing targets. Then "
        "every listed warrior who is on the table and does not flee is masked. The FP stay spent.",
        ru="Объявление открывает окно караула: маскирующиеся — исчезающие цели. Затем все "
        "названные, кто на столе и не убегает, замаскированы. FP потрачены в любом случае.",
        source="«Игрок объявляет, что его боец маскируется», «пытаются замаскироваться»",
    ),
    Rule(
        id="ML-MASK-5",
        en="A masked warrior is no target of shooting, on guard neither. Melodies, charges and "
        "templates reach it.",
        ru="Замаскированный воин не может быть целью стрельбы, в том числе из караула. Мелодии, "
        "нападение и шаблоны на него действуют.",
        source="«Замаскированные воины не могут быть целью стрельбы»",
    ),
    Rule(
        id="ML-MASK-6",
        en="Shooting, charging and fighting give the position away: masking is lost, after a shot "
        "unless ML-AMB keeps it.",
        ru="Стрельба, нападение и ближний бой выдают позицию: маскировка теряется, после выстрела "
        "— если её не сохраняет засада (ML-AMB).",
        source="«не может атаковать стрелять, не выдавая свою позицию»",
    ),
    Rule(
        id="ML-MASK-7",
        en="Singing gives it away at the declaration, with the option `singing_reveals`.",
        ru="Игра Мелодии выдаёт позицию при объявлении, если включена опция `singing_reveals`.",
    ),
    Rule(
        id="ML-MASK-8",
        en="Who attacks does not mask in its own turn: nobody masks after a charge, and who "
        "masked in this turn does not shoot, fight or, while `singing_reveals`, sing in it.",
        ru="Кто нападает, не маскируется в свой ход: после нападения нельзя маскироваться, а "
        "замаскировавшись в этот ход — стрелять, сражаться и, при `singing_reveals`, играть "
        "Мелодию.",
        source="«Боец, который нападает, не может маскироваться в свой ход»",
    ),
    Rule(
        id="ML-MASK-9",
        en="Automatic detection: nobody is masked within Mobility steps of an alert enemy, edge "
        "to edge, inclusive; no die, no line of sight. It is checked when masking is declared, at "
        "deployment, along the whole path of every movement, of the mover against those who are "
        "masked and of a masked mover against its enemies, and when somebody rallies. Who flees "
        "detects nobody.",
        ru="Автоматическое обнаружение: нельзя быть замаскированным в пределах Подвижности (в "
        "шагах) боеспособного врага, от края до края, включительно; без кубика и видимости. "
        "Проверяется при объявлении маскировки, при расстановке, вдоль всего пути каждого "
        "движения — и у того, кто идёт мимо замаскированных, и у замаскированного, идущего мимо "
        "врагов, — и при сборе. Убегающие никого не обнаруживают.",
        source="«в пределах своего значения Подвижности», «автоматически обнаруживает "
        "замаскированных противников в радиусе четырех шагов от себя»",
    ),
    Rule(
        id="ML-MASK-10",
        en="At the end of movement of a unit of which a member that moved or charged is on the "
        "table and does not flee, the active side rolls for each enemy unit with masked warriors, "
        "in upload order: D6 and the Mobility of the active unit's nearest member, with "
        "`detection_from` = `side` of any warrior of the side.",
        ru="В конце движения отряда, хотя бы один воин которого двигался или нападал, на столе и "
        "не убегает, активная сторона кидает за каждый вражеский отряд с замаскированными, в "
        "порядке загрузки: D6 + Подвижность ближайшего воина активного отряда, а при "
        "`detection_from` = `side` — всей стороны.",
        source="«По окончанию движения (в зависимости от того, чья сейчас активация), соперник "
        "бросает D6 + Подвижность ближайшего воина», «Если враг двигается»",
    ),
    Rule(
        id="ML-MASK-11",
        en="Before that, if masked members of the active unit approached in the open, the other "
        "side rolls D6 and the Mobility of its alert warrior nearest to any of them; those alone "
        "are tested.",
        ru="До этого, если замаскированные воины активного отряда приблизились по открытой "
        "местности, другая сторона кидает D6 + Подвижность своего боеспособного воина, ближайшего "
        "к ним; проверяются только они.",
        source="«если воины приближаются к противнику по открытой местности, тот может их "
        "обнаружить»",
    ),
    Rule(
        id="ML-MASK-12",
        en="The result of the die and Mobility is a distance in steps: each tested warrior within "
        "it of the searcher is detected and loses its masking; it may mask again in a later "
        "activation. One die for each unit.",
        ru="Сумма кубика и Подвижности — расстояние в шагах: каждый проверяемый воин в его "
        "пределах от ищущего обнаружен и теряет маскировку; в другую активацию он может "
        "замаскироваться снова. Один кубик на отряд.",
        source="«Если результат выше или равен расстоянию до маскирующихся в шагах, то они "
        "обнаружены»",
    ),
    Rule(
        id="ML-MASK-13",
        en="No die is rolled where even a 6 would reach none of them.",
        ru="Кубик не кидают, если и шестёрки не хватило бы ни до кого.",
    ),
    Rule(
        id="ML-MASK-14",
        en="A leg is covert if both its ends are within `mask_near` of one and the same feature "
        "that is any place to mask, corners or not. A masked warrior approaches in the open if it "
        "stayed masked, some leg is not covert, and it ends nearer to some alert enemy than it "
        "began.",
        ru="Отрезок пути скрытный, если оба его конца в пределах `mask_near` от одного и того же "
        "элемента, где вообще можно маскироваться. Замаскированный воин приближается открыто, "
        "если он остался замаскирован, хотя бы один отрезок не скрытный и в конце он ближе к "
        "какому-нибудь боеспособному врагу, чем был в начале.",
        source="«он так же может скрытно двигаться за укрытием»",
    ),
    Rule(
        id="ML-MASK-15",
        en="Masking lasts until it is lost: by an attack of its own, detection, the end of a move "
        "or push where one cannot mask (unless `mask_leaving_cover` = `kept`), engagement, panic, "
        "`unmask`, a Melody's `reveal`, or the game master.",
        ru="Маскировка держится, пока не потеряна: своя атака, обнаружение, конец движения или "
        "толчка там, где маскироваться нельзя (если `mask_leaving_cover` не `kept`), ближний бой, "
        "паника, `unmask`, эффект `reveal` Мелодии, решение ведущего.",
        source="«Воин может маскироваться в течение нескольких ходов»",
    ),
    Rule(
        id="ML-AMB-1",
        en="A shot of a warrior who is masked when it declares it is a shot from ambush, on guard "
        "too; in its own turn it must have been masked since before.",
        ru="Стрельба воина, замаскированного при её объявлении, — стрельба из засады, в карауле "
        "тоже; в свой ход он должен быть замаскирован с прошлых ходов.",
        source="«Воин, будучи замаскированным, может остаться после выстрела незамеченным»",
    ),
    Rule(
        id="ML-AMB-2",
        en="It may stay unnoticed only if this shooting action kills the target and the weapon is "
        "quiet: a bow, a crossbow, a dart, or a firearm with a silencer. Else masking is lost.",
        ru="Остаться незамеченным можно, только если эта стрельба убила цель и оружие тихое: лук, "
        "арбалет, дротик или огнестрельное с глушителем. Иначе маскировка теряется.",
        source="«Цель погибает сразу после выстрела», «Стрельба ведется из тихих видов оружия: "
        "луков, арбалетов, дротиков, или если на огнестрельном оружии стоит глушитель»",
    ),
    Rule(
        id="ML-AMB-3",
        en="If both hold, every warrior of the target's side on the table who sees both the place "
        "where the target stood and the shooter takes a Mobility test, in upload order, those who "
        "flee or are stunned too.",
        ru="Если оба условия выполнены, каждый воин стороны цели на столе, который видит и место, "
        "где стояла цель, и стрелка, проходит тест на Подвижность, в порядке загрузки; убегающие "
        "и оглушённые тоже.",
        source="«всем бойцам, увидевшим гибель цели, и в чьем поле зрения находится стрелок, "
        "необходимо пройти тест на Подвижность»",
    ),
    Rule(
        id="ML-AMB-4",
        en="If at least one test is passed, masking is lost and the shooter is exposed: it cannot "
        "mask any more in this battle, with `exposed_duration` = `next_turn` until its next own "
        "turn. If none is passed, or nobody tests, it stays masked.",
        ru="Если хотя бы один тест пройден, маскировка теряется и стрелок раскрыт: маскироваться "
        "он больше не может до конца боя, а при `exposed_duration` = `next_turn` — до начала "
        "своего следующего хода. Если не пройден ни один или проходить некому, он остаётся "
        "замаскирован.",
        source="«Если хотя бы один тест пройден, стрелок считается раскрытым и не может больше "
        "маскироваться»",
    ),
    Rule(
        id="ML-AMB-5",
        en="Then the target's unit takes a panic test, whatever the shot did, even a miss; one "
        "for each shot, none if the unit has nobody on the table who does not flee.",
        ru="Затем отряд цели проходит тест на панику, чем бы ни кончилась стрельба, даже при "
        "промахе; один за стрельбу; если в отряде на столе нет никого, кто не убегает, теста нет.",
        source="«отряды, обстрелянные из засады, обязаны пройти тест на панику вне зависимости от "
        "результатов стрельбы»",
    ),
    Rule(
        id="ML-AMB-6",
        en="Who loses masking by ML-AMB-2 alone is not exposed. Masking lost with a shot of the "
        "own activation is the warrior's own deed: it is fleeting.",
        ru="Кто потерял маскировку только по ML-AMB-2, не раскрыт. Маскировка, потерянная "
        "стрельбой в своей активации, — собственный поступок: воин становится мимолётной целью.",
    ),
)
