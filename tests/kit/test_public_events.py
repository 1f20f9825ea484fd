"""An event that hides nothing is encoded at once, to the bytes that its annotated tree has."""

import pytest

from service.engine.log import event as events
from service.engine.log import parts
from service.engine.log.event import Event
from service.engine.visibility.projection import Array, Element, Leaf, Member, Object, annotate
from service.engine.visibility.scope import Scope, audience_of
from tests.kit.played_battles import played
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.scoped_events import scoped
from tests.soak import with_soak

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def long_node(event: Event, scopes: tuple[Scope, ...]) -> Object:
    """The event with an audience on every node, whether anything is hidden or not."""
    fields = [("seq", event.seq), ("base", event.base), ("at", event.at)]
    members = [Member(name, "everyone", False, Leaf(value)) for name, value in fields]
    members.append(Member("encounter", "everyone", False, Leaf(event.encounter)))
    before = scopes[0]
    members.append(Member("by", "everyone", False, annotate(event.by, before)))
    audience = audience_of(event.action, before)
    members.append(Member("action", audience, False, annotate(event.action, before, audience)))
    members.append(Member("draws", "everyone", False, annotate(event.draws, before)))
    effects = []
    for effect, scope in zip(event.effects, scopes, strict=True):
        audience = audience_of(effect, scope)
        effects.append(Element(audience, annotate(effect, scope, audience)))
    members.append(Member("effects", "everyone", False, Array(effects)))
    return Object(members)


@pytest.mark.parametrize("number", with_soak(range(2), range(2, 10)))
@pytest.mark.parametrize("with_secrets", [False, True])
def test_the_short_way_gives_the_bytes_of_the_long_one(
    rig: Rig, number: int, with_secrets: bool
) -> None:
    table = played(rig.ruleset.slug, number, with_secrets=with_secrets)
    links = events.Links(sealed="s", prev="p")
    for event, scopes in scoped(table):
        body, kept = parts.split(long_node(event, scopes), scopes[0].sides)
        short, parts_of_short = parts.split(events.event_node(event, scopes), scopes[0].sides)
        assert parts_of_short == kept
        assert events.split_body(short, links) == events.split_body(body, links)
        is_whole = set(kept) == {parts.EMPTY_PART}
        assert events.is_public(event, scopes) <= is_whole
        if events.is_public(event, scopes):
            assert events.public_body(event, links) == events.split_body(body, links)
