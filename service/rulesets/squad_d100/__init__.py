"""`squad-d100`: squad tactics on a map of characters, percentile dice under a threshold."""

from typing import Final

from service.engine.ruleset.definition import Catalogue, Ruleset
from service.engine.ruleset.roll_places import Retelling
from service.rulesets.squad_d100.action_table import ACTIONS, decide
from service.rulesets.squad_d100.actions import AnyAction
from service.rulesets.squad_d100.catalogue import MESSAGES, RULES, SENTENCES, TERMS
from service.rulesets.squad_d100.consistency import contradictions
from service.rulesets.squad_d100.effects import Event
from service.rulesets.squad_d100.evolve import evolve, initial
from service.rulesets.squad_d100.examples import EXAMPLES
from service.rulesets.squad_d100.inspections import INSPECTIONS
from service.rulesets.squad_d100.legal import legal_actions
from service.rulesets.squad_d100.luck import SUCCESSES
from service.rulesets.squad_d100.map_check import check_map
from service.rulesets.squad_d100.maps import MapBlob, MapImport
from service.rulesets.squad_d100.preview import preview
from service.rulesets.squad_d100.previews.facts import Facts
from service.rulesets.squad_d100.readings import Readings
from service.rulesets.squad_d100.scene import prints, scene
from service.rulesets.squad_d100.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.squad_d100.sheet_consistency import sheet_contradictions
from service.rulesets.squad_d100.state import BattleState

RULESET: Final = Ruleset(
    slug=SLUG,
    version=VERSION,
    catalogue=Catalogue(rules=RULES, terms=TERMS, messages=MESSAGES, sentences=SENTENCES),
    setup=Setup,
    action=AnyAction,
    event=Event,
    state=BattleState,
    create=create,
    blobs=blobs,
    blob=MapBlob,
    map=MapImport,
    check_map=check_map,
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=ACTIONS.binds,
    legal_actions=legal_actions,
    preview=preview,
    scene=scene,
    prints=prints,
    inspections=INSPECTIONS,
    contradictions=contradictions,
    sheet_contradictions=sheet_contradictions,
    retelling=Retelling(shared={"hurt.source.roll": ("rolled.roll",)}),
    facts=Facts,
    luck=ACTIONS.luck(SUCCESSES),
    readings=Readings(),
    examples=EXAMPLES,
)

__all__ = ["RULESET"]
