"""`seeker-d100`: percentile fights with cards, reactions and lethal weapons."""

from typing import Final

from service.engine.ruleset.definition import Catalogue, Ruleset
from service.engine.ruleset.roll_places import Retelling
from service.rulesets.seeker_d100.action_table import ACTIONS, decide
from service.rulesets.seeker_d100.actions import AnyAction
from service.rulesets.seeker_d100.catalogue import MESSAGES, RULES, SENTENCES, TERMS
from service.rulesets.seeker_d100.consistency import contradictions_with
from service.rulesets.seeker_d100.content import NAMES, Blob, MapInput, check_map
from service.rulesets.seeker_d100.effects import DecisionOpened, Event
from service.rulesets.seeker_d100.evolve import evolve, initial
from service.rulesets.seeker_d100.examples import EXAMPLES
from service.rulesets.seeker_d100.facts import Facts
from service.rulesets.seeker_d100.inspections import INSPECTIONS
from service.rulesets.seeker_d100.legal import legal_actions
from service.rulesets.seeker_d100.luck import ANSWERED, SUCCESSES
from service.rulesets.seeker_d100.preview import preview
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.scene import scene
from service.rulesets.seeker_d100.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.seeker_d100.sheet_consistency import sheet_contradictions
from service.rulesets.seeker_d100.state import BattleState

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
    blob=Blob,
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
    contradictions=contradictions_with(None),
    sheet_contradictions=sheet_contradictions,
    retelling=Retelling(
        standing=("attack_resolved.answered.roll", "area_resolved.victims.*.answered.roll"),
        shared={
            "hurt.source.roll": ("rolled.roll",),
            "attack_resolved.answered.roll": ("check_resolved.roll",),
            "area_resolved.victims.*.answered.roll": ("check_resolved.roll",),
        },
    ),
    facts=Facts,
    luck=ACTIONS.luck(SUCCESSES, answered=ANSWERED),
    readings=Readings(),
    content_names=NAMES,
    examples=EXAMPLES,
    opened=DecisionOpened,
)

__all__ = ["RULESET"]
