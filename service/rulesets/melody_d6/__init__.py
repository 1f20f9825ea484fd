"""`melody-d6`: a skirmish of miniatures with music magic, on a table without cells."""

from typing import Final

from service.engine.ruleset.definition import Catalogue, Ruleset
from service.engine.ruleset.roll_places import Retelling
from service.rulesets.melody_d6.action_table import ACTIONS, decide
from service.rulesets.melody_d6.actions import AnyAction
from service.rulesets.melody_d6.catalogue import MESSAGES, RULES, SENTENCES, TERMS
from service.rulesets.melody_d6.consistency import contradictions
from service.rulesets.melody_d6.content import NAMES, Blob
from service.rulesets.melody_d6.deciding.turns import turn_of
from service.rulesets.melody_d6.effects import DecisionOpened, Event
from service.rulesets.melody_d6.evolve import evolve, initial
from service.rulesets.melody_d6.examples import EXAMPLES
from service.rulesets.melody_d6.inspections import INSPECTIONS
from service.rulesets.melody_d6.legal import legal_actions, legal_of_side, legal_of_unit
from service.rulesets.melody_d6.luck import SUCCESSES
from service.rulesets.melody_d6.map_check import check_map
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.points import STEP
from service.rulesets.melody_d6.preview import preview
from service.rulesets.melody_d6.previews.facts import Facts
from service.rulesets.melody_d6.readings import Readings
from service.rulesets.melody_d6.scene import scene
from service.rulesets.melody_d6.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.melody_d6.sheet_consistency import sheet_contradictions
from service.rulesets.melody_d6.state import BattleState

RULESET: Final = Ruleset(
    slug=SLUG,
    version=VERSION,
    catalogue=Catalogue(
        rules=RULES, terms=TERMS, messages=MESSAGES, sentences=SENTENCES, length=STEP
    ),
    setup=Setup,
    action=AnyAction,
    event=Event,
    state=BattleState,
    create=create,
    blobs=blobs,
    blob=Blob,
    map=MapInput,
    check_map=check_map,
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=ACTIONS.binds,
    legal_actions=legal_actions,
    legal_of_unit=legal_of_unit,
    legal_of_side=legal_of_side,
    preview=preview,
    scene=scene,
    opened=DecisionOpened,
    turn=turn_of,
    inspections=INSPECTIONS,
    contradictions=contradictions,
    sheet_contradictions=sheet_contradictions,
    retelling=Retelling(
        held=("rolled.roll",),
        waiting=("check_resolved.roll",),
        questions=("reroll",),
    ),
    facts=Facts,
    luck=ACTIONS.luck(SUCCESSES),
    readings=Readings(),
    content_names=NAMES,
    examples=EXAMPLES,
)

__all__ = ["RULESET"]
