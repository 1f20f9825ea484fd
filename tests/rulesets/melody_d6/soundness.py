"""What holds of every state and every roll of a battle, whatever was done."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from msgspec import UNSET

from tests.kit.rig import Tree

MOST_REROLLS: Final = 3
GONE: Final = frozenset({"out", "fled"})
TO_HIT: Final = (
    *("long_range", "cover", "dazed", "melody_by", "melody_at"),
    *("guard_fleeting", "guard_charged"),
)
"""The lines of a roll to hit in the order of section 5."""


def require_sound(rule: Any) -> None:
    """The state makes sense: turn, units, places, songs, questions."""
    sides = [each.id for each in rule.sides]
    assert [force.side for force in rule.forces] == sides
    units = {unit.id: unit for unit in rule.units}
    assert len(units) == len(rule.units)
    assert {each.unit for each in rule.combatants} == units.keys()
    for each in rule.combatants:
        require_warrior(rule, each, units[each.unit])
    if rule.status == "running" and not rule.pending:
        assert rule.turn_side in sides
        assert {each.side for each in rule.combatants if is_here(each)} == set(sides)
    if rule.turn_unit is not UNSET:
        assert units[rule.turn_unit].side == rule.turn_side
        assert units[rule.turn_unit].activated
    require_songs(rule)
    assert all(len(group.decisions) == 1 for group in rule.pending)


def is_here(combatant: Any) -> bool:
    """Whether a warrior is on the table."""
    return GONE.isdisjoint(combatant.conditions)


def require_warrior(rule: Any, each: Any, unit: Any) -> None:
    """A warrior's conditions go with its numbers, and whoever is gone is just that."""
    held = each.conditions
    assert len(set(held)) == len(held)
    assert each.side == unit.side
    assert 0 <= each.health <= each.health_max
    assert ("out" in held) is (each.health == 0)
    assert ("hoarse" in held) is bool(each.hoarse_until)
    assert ("melody" in held) is bool(each.songs)
    assert set(each.songs) <= {song.id for song in rule.songs}
    if not is_here(each):
        assert "on_guard" not in held
        assert not each.songs
    if each.rerolls_left is not UNSET:
        assert 0 <= each.rerolls_left <= MOST_REROLLS


def require_songs(rule: Any) -> None:
    """Whoever keeps a Melody in play is there and steady, and keeps no other."""
    people = {each.id: each for each in rule.combatants}
    singers = [song.combatant for song in rule.songs]
    assert len(set(singers)) == len(singers)
    for singer in singers:
        assert is_here(people[singer])
        assert "fleeing" not in people[singer].conditions


def require_apart(rule: Any) -> None:
    """No two bases overlap, and nobody is masked, on guard or unmet next to an enemy."""
    here = [each for each in rule.combatants if is_here(each)]
    for one, other in combinations(here, 2):
        gap = square_of_distance(one, other)
        assert gap >= (one.base_radius + other.base_radius) ** 2


def square_of_distance(one: Any, other: Any) -> int:
    """The square of the distance between two centres."""
    across, down = one.place.x - other.place.x, one.place.y - other.place.y
    return int(across * across + down * down)


# --- rolls ----------------------------------------------------------------------------------------


def require_explained(rule: Any, effects: list[Tree]) -> None:
    """Every roll adds up and ends as its dice say."""
    for each in effects:
        match each["type"]:
            case "check_resolved":
                CHECKS[each["check"]](rule, each)
            case "attack_resolved":
                require_attack_explained(each)
            case "hurt":
                assert each["amount"] >= 1 or each.get("cause") == "gm"
            case _:
                pass


def lines_of(effect: Mapping[str, Any]) -> int:
    """The sum of a breakdown."""
    return sum(line["amount"] for line in effect.get("breakdown", ()))


def require_song_explained(rule: Any, effect: Tree) -> None:
    """ML-SING-1 to 6, ML-UI-2 and 3."""
    first: list[int] = effect["roll"]["faces"]
    reroll: Tree = effect.get("reroll", {})
    final = reroll.get("after", first)
    assert effect["total"] == sum(final) + effect["base"] + lines_of(effect)
    is_reached = effect["total"] >= effect["needed"]
    ones, sixes = first.count(1) >= 2, first.count(6) >= 2
    is_avoided = reroll.get("source") == "united_impulse" and final.count(1) < 2
    has_power = sixes and (not ones or (is_avoided and rule.options.ui_uncovers_power))
    if ones and not is_avoided:
        expected = ("failure", "terrible_mistake")
    elif has_power and (is_reached or rule.options.mp_auto_success):
        expected = ("success", "monstrous_power")
    else:
        expected = ("success" if is_reached else "failure", "none")
    assert (effect["outcome"], effect["classification"]) == expected


def require_dampening_explained(_: Any, effect: Tree) -> None:
    """ML-DAMP-2 to 6."""
    first: list[int] = effect["roll"]["faces"]
    reroll: Tree = effect.get("reroll", {})
    final = reroll.get("after", first)
    assert effect["total"] == sum(final) + effect["base"] + lines_of(effect)
    automatic = "failure" if first.count(1) >= 2 else "success" if first.count(6) >= 2 else "none"
    assert effect["automatic"] == automatic
    assert automatic == "none" or not reroll
    reached = "success" if effect["total"] >= effect["needed"] else "failure"
    assert effect["outcome"] == (reached if automatic == "none" else automatic)


def require_detection_explained(_: Any, effect: Tree) -> None:
    """ML-MASK-12, ML-MASK-13."""
    found = any(each["detected"] for each in effect["tested"])
    if "roll" not in effect:
        assert effect["outcome"] == "out_of_reach"
        assert not found
        return
    assert effect["total"] == effect["roll"]["total"] + effect["base"]
    assert (effect["outcome"] == "success") is found


def require_courage_explained(_: Any, effect: Tree) -> None:
    """ML-PANIC-1, ML-PANIC-4; whose Courage counts is untold while it is somebody hidden."""
    assert len(effect["roll"]["faces"]) == 2
    if "needed" not in effect:
        return
    assert effect["needed"] == effect["base"] + lines_of(effect)
    assert (effect["outcome"] == "success") is (effect["roll"]["total"] <= effect["needed"])


def require_mobility_explained(rule: Any, effect: Tree) -> None:
    """ML-TEST-1."""
    [die] = effect["roll"]["faces"]
    passes = die == 1 or die <= effect["needed"]
    if die == 6 and rule.options.mobility_six_fails:
        passes = False
    assert (effect["outcome"] == "success") is passes


def require_resistance_explained(_: Any, effect: Tree) -> None:
    """ML-RES-2."""
    [die] = effect["roll"]["faces"]
    assert (effect["outcome"] == "success") is (die <= effect["needed"])


def require_template_explained(_: Any, effect: Tree) -> None:
    """ML-TPL-2."""
    [die] = effect["roll"]["faces"]
    assert (effect["outcome"] == "success") is (die >= 4)


def require_wound_explained(_: Any, effect: Tree) -> None:
    """ML-SHOOT-6: a wound of a Melody or a mistake."""
    [die] = effect["roll"]["faces"]
    assert 2 <= effect["needed"] <= 6
    assert (effect["outcome"] == "success") is (die >= effect["needed"])


def require_save_explained(_: Any, effect: Tree) -> None:
    """ML-SHOOT-6: a save from a Melody or a mistake."""
    [die] = effect["roll"]["faces"]
    assert (effect["outcome"] == "success") is (die != 1 and die >= effect["needed"])


CHECKS: Final = {
    "song": require_song_explained,
    "dampening": require_dampening_explained,
    "detection": require_detection_explained,
    "panic": require_courage_explained,
    "rally": require_courage_explained,
    "mobility": require_mobility_explained,
    "resistance": require_resistance_explained,
    "template": require_template_explained,
    "wound": require_wound_explained,
    "save": require_save_explained,
}


def require_attack_explained(effect: Tree) -> None:
    """ML-SHOOT-2, ML-SHOOT-6, ML-FIGHT-1 and section 5."""
    detail = effect["detail"]
    assert all(line["amount"] for line in detail["breakdown"])
    assert detail["pool"] == detail["base"] + lines_of(detail)
    faces = detail["roll"]["faces"]
    if detail["mode"] == "fight":
        require_fight_explained(effect, faces[0])
        hits = int(effect["outcome"] in ("hit", "stopped"))
    else:
        notes = [line["note"] for line in detail["breakdown"]]
        assert notes == sorted(notes, key=TO_HIT.index)
        hits = sum(die != 1 and (die == 6 or die + detail["pool"] >= 7) for die in faces)
        assert detail["hits"] == hits
        assert effect["outcome"] == ("hit" if hits else "miss")
    wounds = require_harm_explained(detail.get("wounds"), hits, is_save=False)
    require_harm_explained(detail.get("saves"), wounds, is_save=True)


def require_fight_explained(effect: Tree, die: int) -> None:
    """The higher total wins, and equal ones end nothing."""
    detail, against = effect["detail"], effect["detail"]["against"]
    own, other = die + detail["pool"], against["roll"]["total"] + against["base"]
    expected = "hit" if own > other else "stopped" if own < other else "stalemate"
    assert effect["outcome"] == expected


def require_harm_explained(further: Tree | None, dice: int, *, is_save: bool) -> int:
    """One die for each hit or wound; how many of them counted."""
    if further is None:
        assert is_save or not dice
        return 0
    faces, needed = further["roll"]["faces"], further["needed"]
    assert len(faces) == dice
    counted: int = sum(die >= needed and not (is_save and die == 1) for die in faces)
    assert further["successes"] == counted
    return counted
