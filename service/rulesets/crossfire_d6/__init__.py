"""`crossfire-d6`: positional fights with pools of six-sided dice."""

from typing import Final

from service.engine.ruleset.definition import Catalogue, Ruleset
from service.rulesets.crossfire_d6.action_table import ACTIONS, decide
from service.rulesets.crossfire_d6.actions import AnyAction
from service.rulesets.crossfire_d6.catalogue import MESSAGES, RULES, SENTENCES, TERMS
from service.rulesets.crossfire_d6.consistency import contradictions
from service.rulesets.crossfire_d6.effects import Event
from service.rulesets.crossfire_d6.evolve import evolve, initial
from service.rulesets.crossfire_d6.examples import EXAMPLES
from service.rulesets.crossfire_d6.inspections import INSPECTIONS
from service.rulesets.crossfire_d6.legal import legal_actions
from service.rulesets.crossfire_d6.maps import MapBlob, MapInput, check_map
from service.rulesets.crossfire_d6.preview import preview
from service.rulesets.crossfire_d6.previews.facts import Facts
from service.rulesets.crossfire_d6.scene import scene
from service.rulesets.crossfire_d6.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.crossfire_d6.sheet_consistency import sheet_contradictions
from service.rulesets.crossfire_d6.state import BattleState

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
    map=MapInput,
    check_map=check_map,
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=ACTIONS.binds,
    legal_actions=legal_actions,
    preview=preview,
    scene=scene,
    inspections=INSPECTIONS,
    contradictions=contradictions,
    sheet_contradictions=sheet_contradictions,
    facts=Facts,
    luck=ACTIONS.luck(frozenset({"hit", "critical", "success"})),
    examples=EXAMPLES,
)

__all__ = ["RULESET"]
