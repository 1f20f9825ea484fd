"""What a singer may do: sing each of its Melodies, stop the one in play, dampen those in play.

Where a Melody is laid on a point or aimed there are more places than can be listed: those are tried
where somebody stands, and some all round the singer.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.geometry.segments import is_within
from service.engine.ruleset.legal_nodes import (
    DiscBounds,
    DiscDomain,
    LegalNode,
    Params,
    is_allowed,
    node,
    one_of,
    points,
    with_params,
)
from service.rulesets.melody_d6.actions import DampenLasting, Sing, StopMelody
from service.rulesets.melody_d6.content import content_of, melody_of, template_of
from service.rulesets.melody_d6.deciding.dampening import require_dampen_lasting
from service.rulesets.melody_d6.deciding.lasting import require_stop
from service.rulesets.melody_d6.deciding.songs import require_sing
from service.rulesets.melody_d6.legal_actions.ways import COMPASS, View, away
from service.rulesets.melody_d6.melodies import DiscTemplate, Melody
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.points import STEP, Point
from service.rulesets.melody_d6.rules.geometry import counted_radii
from service.rulesets.melody_d6.state import Combatant, is_on_table
from service.rulesets.melody_d6.terrain import UNIT

_MOST_STANDS: Final = 24
"""Warriors within reach at whose places a Melody is tried, in the order of entry."""

_SHARES: Final = ((1, 1), (1, 2))
"""How much of a range is tried all round the singer: all of it, and half."""


def sing_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Sing, in the action phase: every Melody that the singer knows, with what it is sung at."""
    if actor.singer is UNSET:
        return
    content = content_of(view)
    known = (melody_of(content, each) for each in actor.singer.melodies)
    songs = [(each, _songs(view, actor, each)) for each in known if each is not None]
    possible = [(melody, sung) for melody, sung in songs if sung]
    if possible:
        melodies = one_of(
            with_params(melody.id, _aims(view, actor, melody, sung)) for melody, sung in possible
        )
        yield node({"melody": melodies}, possible[0][1][0])


def _songs(view: View, singer: Combatant, melody: Melody) -> list[Sing]:
    """Songs of one Melody that are accepted."""
    song = Sing(combatant=singer.id, melody=melody.id)
    attempts: Iterator[Sing]
    match melody.targeting:
        case "model":
            attempts = (replace(song, target=each.id) for each in _present(view))
        case "point":
            attempts = (replace(song, point=each) for each in _points(view, singer, melody))
        case "ray":
            attempts = (replace(song, aim=each) for each in _directions(view, singer, melody))
    return [each for each in attempts if is_allowed(partial(require_sing, view, each))]


def _aims(view: View, singer: Combatant, melody: Melody, songs: Sequence[Sing]) -> Params:
    """What a Melody may be sung at, as a parameter."""
    match melody.targeting:
        case "model":
            targets = (song.target for song in songs if song.target is not UNSET)
            return {"target": one_of(targets)}
        case "point":
            reach = melody.range + counted_radii(view.rule.options.measure, singer.base_radius)
            return {"point": _disc(singer, reach, (song.point for song in songs))}
        case "ray":
            reach = _length(view, melody)
            return {"aim": _disc(singer, reach, (song.aim for song in songs))}


def _disc(singer: Combatant, radius: int, accepted: Iterable[Point | UnsetType]) -> DiscDomain:
    """A point at most `radius` u from a singer's centre, with some that are accepted."""
    disc = DiscBounds(x=singer.place.x, y=singer.place.y, radius=radius, unit=UNIT)
    spots = ((each.x, each.y) for each in accepted if each is not UNSET)
    return DiscDomain(disc=disc, accepted=points(spots))


def _present(view: View) -> tuple[Combatant, ...]:
    return tuple(each for each in view.rule.combatants if is_on_table(each))


def _points(view: View, singer: Combatant, melody: Melody) -> list[Point]:
    """Points that are tried: where somebody stands, and all round the singer."""
    reach = melody.range + counted_radii(view.rule.options.measure, singer.base_radius)
    return _tried(view, singer, reach)


def _directions(view: View, singer: Combatant, melody: Melody) -> list[Point]:
    """Points that a ray is tried to be aimed at: where others stand, and all round."""
    return [
        each
        for each in _tried(view, singer, _length(view, melody))
        if (each.x, each.y) != spot_of(singer)
    ]


def _tried(view: View, singer: Combatant, reach: int) -> list[Point]:
    here = spot_of(singer)
    stands = (spot_of(each) for each in _present(view))
    spots = list(islice((spot for spot in stands if is_within(here, spot, reach)), _MOST_STANDS))
    spots += [
        away(here, direction, reach * part // of)
        for part, of in _SHARES
        for direction in COMPASS[:8]
    ]
    return [Point(x=x, y=y) for x, y in dict.fromkeys(spots)]


def _length(view: View, melody: Melody) -> int:
    """How long the template of a ray is; a step where there is none."""
    template = template_of(content_of(view), melody)
    return STEP if template is None or isinstance(template, DiscTemplate) else template.length


def stop_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Stop one's lasting Melody, in either side's turn."""
    action = StopMelody(combatant=actor.id)
    if is_allowed(lambda: require_stop(view, action)):
        yield node({}, action)


def dampen_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Try to dampen one of the lasting Melodies in play."""
    if actor.singer is UNSET:
        return
    attempts = [DampenLasting(combatant=actor.id, song=song.id) for song in view.rule.songs]
    allowed = [each for each in attempts if is_allowed(partial(require_dampen_lasting, view, each))]
    if allowed:
        yield node({"song": one_of(each.song for each in allowed)}, allowed[0])
