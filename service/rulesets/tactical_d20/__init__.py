"""`tactical-d20`: fights on square cells with cover, concealment and flanking to the corner."""

from typing import Final

from service.engine.ruleset.definition import Catalogue, Ruleset
from service.engine.ruleset.roll_places import Retelling
from service.rulesets.tactical_d20.action_table import ACTIONS, decide
from service.rulesets.tactical_d20.actions import AnyAction
from service.rulesets.tactical_d20.amounts import amount_rules
from service.rulesets.tactical_d20.catalogue import MESSAGES, RULES, SENTENCES, TERMS
from service.rulesets.tactical_d20.consistency import contradictions
from service.rulesets.tactical_d20.effects import DecisionOpened, Event
from service.rulesets.tactical_d20.evolve import evolve, initial
from service.rulesets.tactical_d20.examples import EXAMPLES
from service.rulesets.tactical_d20.inspections import INSPECTIONS
from service.rulesets.tactical_d20.legal import legal_actions
from service.rulesets.tactical_d20.luck import SAVES, SUCCESSES
from service.rulesets.tactical_d20.maps import MapBlob, MapInput, check_map
from service.rulesets.tactical_d20.preview import preview
from service.rulesets.tactical_d20.previews.facts import Facts
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.scene import scene
from service.rulesets.tactical_d20.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.tactical_d20.sheet_consistency import sheet_contradictions
from service.rulesets.tactical_d20.state import BattleState

RULESET: Final = Ruleset(
    slug=SLUG,
    version=VERSION,
    catalogue=Catalogue(
        rules=RULES,
        terms=TERMS,
        messages=MESSAGES,
        sentences=SENTENCES,
        amount_rules=amount_rules,
    ),
    setup=Setup,
    action=AnyAction,
    event=Event,
    state=BattleState,
    create=create,
    blobs=blobs,
    blob=MapBlob,
    map=MapInput,
    check_map=check_map,
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=ACTIONS.binds,
    legal_actions=legal_actions,
    preview=preview,
    scene=scene,
    opened=DecisionOpened,
    inspections=INSPECTIONS,
    contradictions=contradictions,
    sheet_contradictions=sheet_contradictions,
    retelling=Retelling(shared={"hurt.source.roll": ("rolled.roll",)}),
    facts=Facts,
    luck=ACTIONS.luck(SUCCESSES, beside=SAVES),
    readings=Readings(),
    examples=EXAMPLES,
)

__all__ = ["RULESET"]
