"""The rulebook as a record while it is not registered: without previews, offers and scenes."""

from typing import Any, Final

from service.engine.kit.scene import draw_scene
from service.engine.ruleset import Catalogue, Preview, Ruleset
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.actions import AnyAction
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.decide import decide
from service.rulesets.melody_d6.deciding.turns import turn_of
from service.rulesets.melody_d6.effects import DecisionOpened, Event
from service.rulesets.melody_d6.evolve import evolve, initial
from service.rulesets.melody_d6.map_check import check_map
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.setup import SLUG, VERSION, Setup, blobs, create
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.withdrawal import is_binding


def _preview(state: Any, action: Action, by: By, answers: object = ()) -> Preview:
    return Preview(legal=True, facts={})


RULESET: Final[Ruleset[BattleState]] = Ruleset(
    slug=SLUG,
    version=VERSION,
    catalogue=Catalogue(rules=(), terms=(), messages=()),
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
    binds=is_binding,
    legal_actions=lambda state, who, by: (),
    preview=_preview,
    scene=lambda source: draw_scene(source, (), unit="u", is_grid=False, out=()),
    opened=DecisionOpened,
    turn=turn_of,
)
