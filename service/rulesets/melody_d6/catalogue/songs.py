"""Rules in words: songs, Terrible Mistake, Monstrous Power, United Impulse, FP."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

SONGS: Final[tuple[Rule, ...]] = (
    Rule(
        id="ML-SING-1",
        en="A song rolls the singer's `song_dice` D6. The total is their sum with `song_bonus` "
        "and all `mod_song`; it succeeds if it reaches the difficulty, equal included.",
        ru="На Мелодию кидают `song_dice` кубиков D6 Певца. Результат — их сумма с `song_bonus` и "
        "всеми `mod_song`; Мелодия удалась, если он больше или равен сложности.",
        source="«необходимо выбросить число, больше или равно ее сложности»",
    ),
    Rule(
        id="ML-SING-2",
        en="Mistake and Power are read from the natural dice of the first roll, before any "
        "modifier, bonus or reroll.",
        ru="Ошибка и Мощь определяются по числам на кубиках первого броска, до модификаторов, "
        "бонусов и перебросов.",
        source="«невзирая на модификаторы, и бонусы, и перед перебросами»",
    ),
    Rule(
        id="ML-SING-3",
        en="Two or more 1s are a Terrible Mistake: the Melody fails whatever the total.",
        ru="Две и более единицы — Ужасная Ошибка: Мелодия проваливается при любом результате.",
        source="«выпадут две и более единицы, это значит, что Мелодия сыграна с Ужасной Ошибкой»",
    ),
    Rule(
        id="ML-SING-4",
        en="Two or more 6s are Monstrous Power.",
        ru="Две и более шестёрки — Чудовищная Мощь.",
        source="«выпадут две и более шестерки, это значит, что Мелодия сыграна с Чудовищной Мощью»",
    ),
    Rule(
        id="ML-SING-5",
        en="Monstrous Power succeeds automatically. With `mp_auto_success` = false the total must "
        "still reach the difficulty; else the Melody fails and there is no Monstrous Power.",
        ru="Чудовищная Мощь удаётся автоматически. При `mp_auto_success` = false результат всё "
        "равно должен достичь сложности, иначе Мелодия просто проваливается, и Мощи нет.",
        source="«так же, как и при сотворении Мелодии, … двойная шестерка – автоматический успех»",
    ),
    Rule(
        id="ML-SING-6",
        en="If one roll shows both, only the Terrible Mistake counts.",
        ru="Если в одном броске выпало и то и другое, считается только Ужасная Ошибка.",
        source="«приоритет Ужасной Ошибки выше»",
    ),
    Rule(
        id="ML-SING-7",
        en="Ordinary reroll: after a roll that is neither, a singer who has rerolls left in this "
        "round may reroll any of its dice once, also those of a success. The new faces count even "
        "if they are worse; they change the total alone and make neither Mistake nor Power. Songs "
        "and dampening share one counter.",
        ru="Обычный переброс: если нет ни Ошибки, ни Мощи и у Певца остались перебросы в этом "
        "раунде, он может один раз перебросить любые кубики, даже удачного броска. Новые числа "
        "считаются, даже если они хуже; меняется только результат — ни Ошибки, ни Мощи они не "
        "дают. Счётчик для Мелодий и глушения общий.",
        source="«переброс кубиков не спасает от Ужасной Ошибки и не вызывает Чудовищную Мощь»",
    ),
    Rule(
        id="ML-SING-8",
        en="A song is rerolled at most once, from one source; Monstrous Power never.",
        ru="Мелодию перебрасывают не больше одного раза и из одного источника; Чудовищную Мощь — "
        "никогда.",
    ),
    Rule(
        id="ML-SING-9",
        en="A Terrible Mistake that stands rolls a D6 on the Melody's mistake table. The entries "
        "of the row are applied in their order, to the warriors of a scope in upload order. "
        "Nobody resists.",
        ru="Если Ужасная Ошибка осталась, кидается D6 по таблице ошибок Мелодии. Записи строки "
        "применяются по порядку, к воинам внутри записи — в порядке загрузки. Сопротивления нет.",
        source="«ужасные события происходят теперь вокруг Певца», «обратитесь к разделу РАДУГА "
        "МУЗЫКИ»",
    ),
    Rule(
        id="ML-SING-10",
        en="With Monstrous Power the Melody's `mp_effects` take the place of its `effects`.",
        ru="При Чудовищной Мощи вместо `effects` действуют `mp_effects` Мелодии.",
        source="«у каждой Мелодии есть свои эффекты на Чудовищную мощь»",
    ),
    Rule(
        id="ML-SING-11",
        en="A song: checks; masking is lost if `singing_reveals`; dice; a reroll window; a "
        "Mistake or a failure ends it; a dampen window unless it has Monstrous Power; a lasting "
        "Melody enters play; effects on the targets; a reveal window. The action is spent in "
        "every case.",
        ru="Порядок Мелодии: проверки; потеря маскировки при `singing_reveals`; кубики; окно "
        "переброса; Ошибка или провал её прекращают; окно глушения, если нет Чудовищной Мощи; "
        "длительная Мелодия входит в игру; действие на цели; окно раскрытия. Действие потрачено в "
        "любом случае.",
    ),
    Rule(
        id="ML-SING-12",
        en="Targets are the warrior it is sung at, or everybody on the table under the template. "
        "They are handled one at a time in upload order: template die, Resistance dice, then the "
        "effects in listed order with their dice. Who left the table meanwhile is skipped.",
        ru="Цели — воин, на которого сыграна Мелодия, или все на столе под шаблоном. Их "
        "обрабатывают по одному в порядке загрузки: кубик за шаблон, кубики Сопротивления, затем "
        "эффекты по списку со своими кубиками. Кто за это время покинул стол, пропускается.",
    ),
    Rule(
        id="ML-UI-1",
        en="United Impulse: after a song roll without Monstrous Power the side may spend "
        "`ui_fp_cost` FP and reroll any of its dice once, if another member of the singer's unit "
        "is on the table, neither flees, is stunned nor engaged, and is within `ui_radius` of the "
        "singer. A lone warrior never has it, dampening neither. Who may and what it costs are "
        "service defaults.",
        ru="Единый Порыв: после броска на Мелодию без Чудовищной Мощи сторона может потратить "
        "`ui_fp_cost` FP и один раз перебросить любые кубики, если другой воин отряда Певца на "
        "столе, не убегает, не оглушён, не сражается и стоит в пределах `ui_radius` от Певца. У "
        "воина-одиночки и при глушении его нет. Кому он доступен и сколько стоит — решение "
        "сервиса.",
        source="«Единственное исключение из правила – Единый Порыв»",
    ),
    Rule(
        id="ML-UI-2",
        en="After a United Impulse a Terrible Mistake of the first roll is avoided if the final "
        "dice show fewer than two 1s; else it stands.",
        ru="После Единого Порыва Ужасная Ошибка первого броска снимается, если в итоге единиц "
        "меньше двух; иначе она остаётся.",
        source="«Только переброс в Едином Порыве позволяет избежать Ужасной Ошибки»",
    ),
    Rule(
        id="ML-UI-3",
        en="A United Impulse causes no Monstrous Power, neither by new 6s nor by those that an "
        "avoided Mistake had covered; with `ui_uncovers_power` = true the latter are Monstrous "
        "Power. New 1s make no Mistake that was none.",
        ru="Единый Порыв не вызывает Чудовищную Мощь — ни новыми шестёрками, ни теми, которые "
        "перекрывала снятая Ошибка; при `ui_uncovers_power` = true последние её дают. Новые "
        "единицы не создают Ошибку, которой не было.",
        source="«но он так же не вызывает Чудовищную Мощь»",
    ),
    Rule(
        id="ML-FP-1",
        en="At the start of its own turn a side has `fp_per_turn` FP, whatever was left. How many "
        "there are is a service default.",
        ru="В начале своего хода у стороны становится `fp_per_turn` FP, сколько бы ни осталось. "
        "Их число — решение сервиса.",
        source="«Используя свои FP»",
    ),
    Rule(
        id="ML-HOARSE-1",
        en="Who is hoarse for n rounds cannot sing until the end of the present round and n − 1 "
        "more. It may dampen.",
        ru="Кто охрип на n раундов, не может играть Мелодии до конца этого раунда и ещё n − 1. "
        "Глушить может.",
    ),
)
