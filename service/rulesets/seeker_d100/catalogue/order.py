"""Rules in words: rounds, cards, checks, and the order of what happens in an attack."""

from typing import Final

from service.engine.vocabulary.catalogue import Rule

ORDER: Final[tuple[Rule, ...]] = (
    Rule(
        id="SK-TURN-1",
        en="Combat is measured in rounds. In a round everybody performs one action, in the order "
        "of the cards.",
        ru="Бой измеряется ходами. За ход каждый совершает одно действие, по порядку карт.",
        source="«Ход - это … столько времени, сколько требуется каждому, чтобы выполнить одно "
        "Действие»",
    ),
    Rule(
        id="SK-TURN-2",
        en="A combatant has one action a round, taken in its own turn or spent on a reaction.",
        ru="У бойца одно действие за ход: он совершает его, когда приходит его очередь, или "
        "тратит на реакцию.",
        source="«Во время хода участник может совершить одно из следующих действий»",
    ),
    Rule(
        id="SK-INIT-1",
        en="Who acts when is decided by drawing cards.",
        ru="Порядок действий решают вытянутые карты.",
        source="«Порядок действий … определяется случайно, путем вытягивания карт из колоды»",
    ),
    Rule(
        id="SK-INIT-2",
        en="The deck has 52 cards, numbered 4 × (rank − 2) + suit; ranks are 2 to 14, the suits "
        "spades 0, clubs 1, hearts 2, diamonds 3. A deck of 54 has the black joker (52) and the "
        "red joker (53) of rank 15 besides.",
        ru="В колоде 52 карты с номерами 4 × (старшинство − 2) + масть; старшинство от 2 до 14, "
        "масти: пики 0, трефы 1, черви 2, бубны 3. В колоде из 54 карт есть ещё чёрный (52) и "
        "красный (53) джокеры старшинства 15.",
    ),
    Rule(
        id="SK-INIT-3",
        en="A card is drawn by one die of as many sides as cards are left, from the place it "
        "names; the first of the cards left takes that place. Combatants draw in the order they "
        "came into being, later arrivals go on with what is left. If the cards do not suffice, "
        "nothing is drawn.",
        ru="Какую карту тянут, решает кость: граней — по числу оставшихся карт, выпавшее число — "
        "место карты; первая из оставшихся карт ложится на это место. Бойцы тянут в порядке "
        "появления, прибывшие позже — из того, что осталось. Если карт не хватает, не тянет "
        "никто.",
    ),
    Rule(
        id="SK-INIT-4",
        en="The higher rank acts first. The ace is the highest, or, where the encounter says so, "
        "lower than the 2.",
        ru="Старшая карта ходит первой. Туз — самый старший либо, если так решено для боя, младше "
        "двойки.",
        source="«старшинство»",
    ),
    Rule(
        id="SK-INIT-5",
        en="Of equal ranks spades act first, then clubs, hearts and diamonds; of two jokers the "
        "black one.",
        ru="При равном старшинстве ходят по порядку пики, трефы, черви, бубны; из двух джокеров "
        "первым — чёрный.",
        source="«первыми ходят черные, следом — красные … ♠️ → ♣️ → ♥️ → ♦️»",
    ),
    Rule(
        id="SK-INIT-6",
        en="One draw serves the whole scene. Where the encounter says so, everybody who is not "
        "dead draws anew from a full deck each round.",
        ru="Карты тянут один раз на сцену. Если так решено для боя, каждый ход все, кто не мёртв, "
        "тянут заново из полной колоды.",
        source="«в боевой сцене»",
    ),
    Rule(
        id="SK-CHECK-1",
        en="The chance of a check is the skill plus all modifiers, with no floor and no cap. "
        "Percentile dice at or under it succeed.",
        ru="Шанс проверки — это навык и все модификаторы, без нижнего и верхнего предела. Бросок "
        "к100 не больше шанса — успех.",
        source="«это проверка навыков, чтобы увидеть, попадает ли»",
    ),
    Rule(
        id="SK-CHECK-2",
        en="A natural 1 is always a critical success, a natural 100 always a fumble.",
        ru="Выпавшая 1 — всегда критический успех, выпавшие 100 — всегда критический провал.",
        source="«критический успех»",
    ),
    Rule(
        id="SK-CHECK-3",
        en="Equal digits, 11 to 99, make a success critical and a failure a fumble, unless the "
        "encounter does without them.",
        ru="Одинаковые цифры, от 11 до 99, делают успех критическим, а неудачу — критическим "
        "провалом, если для боя не решено иначе.",
    ),
    Rule(
        id="SK-CHECK-4",
        en="There are four levels: critical success 3, success 2, failure 1, fumble 0. A fumble "
        "does nothing beyond failing.",
        ru="Уровней четыре: критический успех 3, успех 2, неудача 1, критический провал 0. "
        "Критический провал не добавляет к неудаче ничего.",
    ),
    Rule(
        id="SK-OPP-1",
        en="In an opposed check, who alone succeeded wins; if both failed nothing happens. If both "
        "succeeded the higher level wins, then the higher natural die (or the lower, where the "
        "encounter says so). The same die: the acting side wins, as the answer has to be better.",
        ru="Во встречной проверке побеждает тот, кто один добился успеха; если не удалось обоим, "
        "не происходит ничего. Если удалось обоим, побеждает больший уровень, затем больший бросок "
        "(или меньший, если так решено для боя). При равных бросках побеждает действующая "
        "сторона: ответ должен быть лучше.",
        source="«Если ваш бросок лучше броска атаки, ваш персонаж избегает повреждений»",
    ),
    Rule(
        id="SK-ORD-1",
        en="An attack goes: declaration; answers of all who have a choice; attack roll; rolls of "
        "the answers; winners; lethality or damage dice; doubling, armour and hit points; "
        "statuses, aims and holds; counter-attacks; the step after. Several victims are dealt "
        "with in victim order.",
        ru="Атака идёт так: объявление; ответы всех, у кого есть выбор; бросок атаки; броски "
        "ответов; победители; кости смертельности или урона; удвоение, броня и ОЗ; состояния, "
        "прицеливание и захваты; контратаки; перемещение после. Несколько целей обрабатываются "
        "по порядку.",
    ),
)
