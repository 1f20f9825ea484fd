"""Attacks of random battles against the second formulation: who and what counts for each.

The map, the sheets and the options are read from what the creation stated, so that neither the
ground nor the crowd that the rules look at is taken from them.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kit.random_battles import play
from tests.kit.table import Table, seated, tree_of
from tests.rulesets.tactical_d20 import oracle
from tests.rulesets.tactical_d20.battles import LEGEND, random_setup, varied_setup
from tests.rulesets.tactical_d20.oracle import Covering, Mark, Square
from tests.rulesets.tactical_d20.setups import RULESET, Tree
from tests.soak import with_soak

BATTLES = range(10)
EVENTS = 60


class Ground:
    """The ground of a setup, from what a client stated."""

    def __init__(self, ground: Tree) -> None:
        self.marks: dict[Mark, Tree] = {}
        for y, row in enumerate(ground.get("rows", ())):
            for x, character in enumerate(row):
                if character in LEGEND:
                    self.marks["cell", x, y] = LEGEND[character]
        for each in ground.get("cells", ()):
            self.marks["cell", each["x"], each["y"]] = each
        for each in ground.get("borders", ()):
            self.marks[each["axis"], each["x"], each["y"]] = each

    def with_any(self, *words: str) -> dict[Mark, Tree]:
        """Cells and borders of which one of these is stated."""
        return {
            mark: each for mark, each in self.marks.items() if any(each.get(word) for word in words)
        }

    @property
    def covering(self) -> dict[Mark, Covering]:
        """Whatever gives cover."""
        return {
            mark: Covering(each.get("cover", "normal"), each.get("low_height_ft", 0))
            for mark, each in self.with_any("wall", "cover").items()
        }

    @property
    def concealing(self) -> dict[Mark, int]:
        """Smoke and curtains."""
        found = self.with_any("concealment_pct")
        return {mark: int(each["concealment_pct"]) for mark, each in found.items()}

    def light(self, cell: tuple[int, int]) -> str | None:
        """The light of a cell, if it is not lit."""
        found: str | None = self.marks.get(("cell", *cell), {}).get("light")
        return found


class Moment:
    """A battle just before an attack is rolled."""

    def __init__(
        self, ground: Ground, rule: Tree, *, attacker: str, target: str, item: str
    ) -> None:
        self.ground = ground
        self.options = rule["options"]
        self.people = {each["id"]: each for each in rule["combatants"]}
        self.attacker, self.target = self.people[attacker], self.people[target]
        [self.weapon] = [each for each in self.attacker["weapons"] if each["id"] == item]
        self.is_ranged = self.weapon["kind"] == "ranged"
        self.near, self.far = square(self.attacker), square(self.target)
        self.is_equal = self.options["diagonal_rule"] == "equal"
        self.is_along = self.options["border_contact"] == "along"

    @property
    def others(self) -> list[Tree]:
        """Everybody else."""
        pair = (self.attacker["id"], self.target["id"])
        return [each for name, each in self.people.items() if name not in pair]

    def cover(self, corner: tuple[int, int] | None) -> oracle.Cover:
        """The target's cover."""
        living = [each for each in self.others if "dead" not in each["conditions"]]
        return oracle.cover(
            self.near,
            self.far,
            self.ground.covering,
            tuple(map(square, living)),
            ranged=self.is_ranged,
            height_ft=self.target["height_ft"],
            named=corner,
            table=oracle.Table(
                along=self.is_along,
                equal=self.is_equal,
                line_count=self.options["partial_cover_method"] == "line_count",
                soft_vs_melee=self.options["soft_cover_vs_melee"],
                low_range_ft=self.options["low_obstacle_range_ft"],
            ),
        )

    def concealment(self, corner: tuple[int, int] | None) -> int:
        """The per cent of the target's concealment."""
        smoke = self.ground.concealing
        dims = [self.dimness(cell) for cell in self.far.cells]
        if not self.is_ranged and self.is_adjacent:
            degrees = [
                max(smoke.get(("cell", *cell), 0), dim)
                for cell, dim in zip(self.far.cells, dims, strict=True)
            ]
            return max(min(degrees), int(self.target["blur_pct"]))
        by_lines = oracle.concealment(
            self.near,
            self.far,
            smoke,
            chosen_by_attacker=self.options["concealment_corner_chooser"] == "attacker",
            named=corner,
            along=self.is_along,
        )
        return max(by_lines.percent, int(self.target["blur_pct"]), *dims)

    def dimness(self, cell: tuple[int, int]) -> int:
        """The per cent that the light of a cell of the target's gives."""
        sees = {"dim": ("low_light", "darkvision"), "dark": ("darkvision",)}
        light = self.ground.light(cell)
        if light is None or not set(sees[light]).isdisjoint(self.attacker["senses"]):
            return 0
        return int(self.options["default_concealment_pct"])

    @property
    def is_adjacent(self) -> bool:
        """Whether attacker and target touch."""
        height = elevation(self.attacker) - elevation(self.target)
        return oracle.distance(self.near, self.far, equal=True, height=height) <= 5

    @property
    def is_flanked(self) -> bool:
        """Whether somebody flanks the target with the attacker."""
        return self.controls(self.attacker) and any(
            self.helps(each)
            and oracle.flanks(
                self.near,
                square(each),
                self.far,
                any_cell=self.options["flank_partner"] == "any_cell",
            )
            and self.controls(each)
            for each in self.others
        )

    def helps(self, partner: Tree) -> bool:
        """Whether its side lets somebody help."""
        is_any = self.options["flank_partner_side"] == "any"
        return is_any or bool(partner["side"] != self.target["side"])

    def controls(self, creature: Tree) -> bool:
        """TD-GEO-3: whether a creature controls a cell of the target's."""
        if {"unconscious", "dead"} & set(creature["conditions"]):
            return False
        reaches = [
            each.get("reach_ft", creature["reach_ft"])
            for each in creature["weapons"]
            if each["kind"] == "melee" and each["ready"]
        ]
        space = square(creature)
        height = elevation(creature) - elevation(self.target)
        feet = oracle.distance(space, self.far, equal=self.is_equal, height=height)
        walls = self.ground.with_any("wall")
        is_near = 0 < max(reaches, default=0) >= feet
        return is_near and bool(oracle.open_lines(space, self.far, walls))


def square(combatant: Tree) -> Square:
    """The space of a combatant."""
    return Square(combatant["place"]["x"], combatant["place"]["y"], combatant["size"])


def elevation(combatant: Tree) -> int:
    """How high a combatant stands."""
    return int(combatant["place"].get("elevation", 0))


def attacks(table: Table, ground: Ground) -> Iterator[tuple[Moment, Tree, Tree, Tree]]:
    """The first attack of each event, with the action that made it and what it shows.

    What players are shown of a guess is completed by what the game master is.
    """
    for event in table.events:
        rule: Any = tree_of(table.rules[event.seq - 1]) if event.seq > 1 else None
        for effect in tree_of(event.effects):
            if effect["type"] != "attack_resolved":
                continue
            told = {**effect["detail"], **effect.get("guess", {})}
            target = effect.get("target", told.get("target"))
            if effect["outcome"] != "obstructed" and target is not None:
                named = {"attacker": told["attacker"], "target": target, "item": told["item"]}
                yield Moment(ground, rule, **named), waiting(rule, event), effect, told
            break


def waiting(rule: Tree, event: Any) -> Tree:
    """The action that the attack is of: the one that waited, else that of the event."""
    pending = rule["pending"]
    suspended = pending[-1].get("suspended") if pending else None
    action: Tree = tree_of(event.action) if suspended is None else suspended["action"]
    return action


def corner_of(action: Tree, told: Tree, name: str) -> tuple[int, int] | None:
    """The corner that the attacker has named."""
    corner = None if told.get("opportunity") else action.get(name)
    return None if corner is None else (corner["x"], corner["y"])


def require_alike(moment: Moment, action: Tree, effect: Tree, told: Tree) -> None:
    """Everything that an attack shows is what the second formulation says."""
    feet = oracle.distance(
        moment.near,
        moment.far,
        equal=moment.is_equal,
        height=elevation(moment.attacker) - elevation(moment.target),
    )
    cover = moment.cover(corner_of(action, told, "cover_corner"))
    report = told["cover"]
    assert (report["ac"], report["reflex"]) == (cover.ac, cover.reflex)
    assert (report["corner"]["x"], report["corner"]["y"]) == cover.corner
    if not moment.options["light_on_line"]:
        percent = moment.concealment(corner_of(action, told, "concealment_corner"))
        if "guess" in effect:
            percent = max(percent, moment.options["unseen_pct"])
        else:
            assert told["distance_ft"] == feet
        assert told["concealment"]["percent"] == percent
    if not moment.is_ranged:
        lines = told["attack_breakdown"] if "guess" in effect else told["breakdown"]
        is_told = any(line["rule"] == "TD-FLANK-1" for line in lines)
        assert is_told is moment.is_flanked


@pytest.mark.parametrize("number", with_soak(BATTLES[:4], BATTLES[4:]))
@pytest.mark.parametrize("setup_of", [random_setup, varied_setup])
@pytest.mark.rule("TD-COVER-1")
@pytest.mark.rule("TD-CONC-2")
@pytest.mark.rule("TD-FLANK-1")
def test_what_an_attack_is_made_of_is_what_a_second_formulation_says(
    setup_of: Any, number: int
) -> None:
    setup = setup_of(number)
    table = seated(RULESET, setup)
    play(table, number, EVENTS)
    for found in attacks(table, Ground(setup["map"])):
        require_alike(*found)


def test_these_battles_hold_some_of_everything() -> None:
    seen: set[str] = set()
    for number in BATTLES:
        setup = random_setup(number)
        table = seated(RULESET, setup)
        play(table, number, EVENTS)
        for moment, _, effect, told in attacks(table, Ground(setup["map"])):
            seen |= {told["mode"], *(["guess"] if "guess" in effect else [])}
            seen |= {"covered"} if told["cover"]["ac"] else set()
            seen |= {"concealed"} if told["concealment"]["percent"] else set()
            seen |= {"flanked"} if not moment.is_ranged and moment.is_flanked else set()
            seen |= {"opportunity"} if told.get("opportunity") else set()
    everything = {"covered", "concealed", "flanked", "opportunity", "guess", "melee", "ranged"}
    assert seen == everything
