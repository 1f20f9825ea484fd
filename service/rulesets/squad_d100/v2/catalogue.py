"""What version 2 says in words otherwise than version 1; plain data."""

from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Rule
from service.rulesets.squad_d100 import RULESET as VERSION_1

CHANGED: Final = (
    Rule(
        id="SQ-SUP-4",
        en="In its next turn a suppressed combatant cannot shoot towards the cell where the one "
        "who suppressed it is now: within 45 degrees to either side, by option only at him or "
        "anywhere before the right angle. Reaction shots are barred at once, until the end of that "
        "turn. A shot into the arc of somebody of whom the shooter does not know is wasted, a "
        "reaction shot, too.",
        ru="В следующий свой ход подавленный не может стрелять в сторону клетки, где подавивший "
        "находится сейчас: в пределах 45 градусов в обе стороны, по опции — только в него самого "
        "или в полуплоскость. Выстрелы по реакции запрещены сразу, до конца этого хода. Выстрел в "
        "сектор того, о ком стрелок не знает, пропадает впустую, выстрел по реакции — тоже.",
        source="«не может стрелять в следующий ход в сторону бойца»",
    ),
    Rule(
        id="SQ-SUP-5",
        en="In that turn it must move to the nearest cover, by the price of the way: each step "
        "leads nearer, and it neither ends its movement nor kneels nor picks up anything while it "
        "can pay such a step. The way begins in its own cell, even if nobody can enter that one. "
        "There is no duty in cover or where none can be reached.",
        ru="В этот ход он обязан двигаться к ближайшему укрытию, по цене пути: каждый шаг "
        "приближает, и пока такой шаг по средствам, нельзя ни закончить перемещение, ни присесть, "
        "ни подбирать вещи. Путь начинается в его клетке, даже если войти в неё нельзя. В укрытии "
        "или без достижимого укрытия обязанности нет.",
        source="«и обязана двигаться к ближайшему укрытию»",
    ),
    Rule(
        id="SQ-VIG-4",
        en="On a success the watch ends and the watcher fires at once: a snap shot with the first "
        "weapon that has a round, by option an aimed one or none. Without a round, a line or where "
        "somebody of whom it knows suppresses it that way it does not fire. On a failure it "
        "watches on for others.",
        ru="При успехе наблюдение кончается, и боец сразу стреляет: навскидку, из первого оружия с "
        "патронами; по опции — прицельно или никак. Без патронов, без линии выстрела и в сторону "
        "подавившего, о котором он знает, не стреляет. При провале он наблюдает за другими дальше.",
    ),
)
"""Rules of version 1 that are said more exactly here, each in its old place."""

CATALOGUE: Final = with_rules(VERSION_1.catalogue, *CHANGED)
"""The whole catalogue of version 2."""
