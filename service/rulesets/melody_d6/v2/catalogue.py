"""What version 2 says in words besides what version 1 says; plain data."""

from typing import Final

from service.engine.kit.versions import with_rules
from service.engine.vocabulary.catalogue import Rule
from service.rulesets.melody_d6 import RULESET as VERSION_1

ADDED: Final = (
    Rule(
        id="ML-GUARD-13",
        en="A mover is on its way until it is killed, flees or is put elsewhere. After that it is "
        "shot at where it stands, as anybody else: a point of its path is ignored, no shot puts it "
        "back on its path, and it charges nobody (ML-GUARD-12).",
        ru="Воин в пути, пока он не убит, не бежит и не переставлен ведущим. После этого в него "
        "стреляют там, где он стоит, как в любого другого: точка пути не учитывается, на путь "
        "выстрел его не возвращает, и ни на кого он уже не нападает (ML-GUARD-12).",
        source="«до, или после ее движения, или в любой другой момент движения»",
    ),
)
"""Rules that version 1 does not have; they stand behind ML-GUARD-12."""

CATALOGUE: Final = with_rules(VERSION_1.catalogue, *ADDED, behind="ML-GUARD-12")
"""The whole catalogue of version 2."""
