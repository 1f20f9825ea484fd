"""What effects show of themselves agrees in every battle, for everybody; a lie about it never."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from service.engine.log import canonical
from service.engine.log.event import view_of_event
from service.engine.ruleset.definition import options_of
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import DiceMode
from service.replay.audit.effect_check import EffectCheck
from service.replay.audit.sheet_check import SheetCheck
from tests.kit.played_battles import overruled
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import SEED, Table, bodies
from tests.replay.memory_audit import audit, evidence_of
from tests.soak import with_soak

EVENTS = 80
VIEWERS = (Viewer(), Viewer(sides=("red",)), Viewer(sides=("blue",)))
MODES: list[tuple[DiceMode, int]] = [("sealed", 0), ("supplied", 1)]
ROLLED = ("detail.against.needed", "detail.against.base", "detail.base", "detail.threshold")
"""Numbers of attack rolls that come from sheets."""
Effects = list[tuple[str, dict[str, Any]]]
OUTCOMES = ("hit", "miss", "critical", "success", "failure")

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def battle(rig: Rig, mode: DiceMode, number: int) -> Table:
    return overruled(rig.ruleset.slug, number, mode, EVENTS)[0]


@pytest.mark.parametrize(
    ("mode", "number"), with_soak(MODES[:1], [pytest.param(*each) for each in MODES[1:]])
)
def test_nobody_who_reads_a_true_log_is_told_of_a_contradiction(
    rig: Rig, mode: DiceMode, number: int
) -> None:
    table = battle(rig, mode, number)
    seed = None if mode == "supplied" else SEED
    for viewer in VIEWERS:
        report = audit(table, evidence_of(table, viewer), seed=seed, viewer=viewer)
        assert report.clean, report.first_failure


@pytest.mark.soak
@pytest.mark.parametrize("number", range(100, 116))
def test_nobody_is_told_of_one_in_longer_battles_either(rig: Rig, number: int) -> None:
    mode: DiceMode = "supplied" if number % 2 else "sealed"
    table, _ = overruled(rig.ruleset.slug, number, mode, 4 * EVENTS)
    for viewer in VIEWERS:
        seed = None if mode == "supplied" else SEED
        report = audit(table, evidence_of(table, viewer), seed=seed, viewer=viewer)
        assert report.clean, report.first_failure


def test_numbers_that_are_not_those_of_the_sheets_are_told(rig: Rig) -> None:
    """Whatever a number of a roll or a wound came from was shown before, and is remembered."""
    told: Counter[str] = Counter()
    for table in (battle(rig, *mode) for mode in MODES):
        check = SheetCheck(EffectCheck(rig.ruleset))
        for event, sealed in zip(table.events, table.sealed, strict=True):
            view = view_of_event(sealed.body, bodies(sealed), ("red", "blue"), VIEWERS[1])
            effects = [(f"$[{n}]", each) for n, each in enumerate(json.loads(view)["effects"])]
            for place, name, altered in _with_other_numbers(effects):
                found = check.fold(altered, "red", event.base, len(table.events) + 1)
                told[f"{place}: {name}"] += found is not None and found.path.endswith(name)
            assert check.fold(effects, "red", event.base, event.seq) is None
    assert told["hurt: health"] > 1
    assert max(told[f"attack_resolved: {name}"] for name in ROLLED) > 1


def _with_other_numbers(effects: Effects) -> Iterator[tuple[str, str, Effects]]:
    """Each effect with each of its numbers one more, among the others of its event."""
    for place, (path, effect) in enumerate(effects):
        names = ("health", "needed") if effect["type"] != "attack_resolved" else ROLLED
        for name in names:
            altered = json.loads(json.dumps(effect))
            *way, last = name.split(".")
            holder = altered
            for step in way:
                holder = holder.get(step, {})
            if isinstance(holder.get(last), int):
                holder[last] += 1
                yield (
                    effect["type"],
                    name,
                    [*effects[:place], (path, altered), *effects[place + 1 :]],
                )


def test_an_outcome_that_the_dice_rule_out_is_told(rig: Rig) -> None:
    """Of all words for outcomes at most those stay that hidden numbers leave open."""
    judged = 0
    for effect, check in _public_effects(battle(rig, *MODES[0])):
        if effect["type"] not in ("attack_resolved", "check_resolved") or not _is_rolled(effect):
            continue
        kept = [word for word in OUTCOMES if check.judge({**effect, "outcome": word}, "$") is None]
        assert check.judge(effect, "$") is None
        assert len(kept) <= 3
        judged += 1
    assert judged > 1


def test_damage_that_dice_and_armour_do_not_come_to_is_told(rig: Rig) -> None:
    check = EffectCheck(rig.ruleset)
    found = []
    for event in (event for mode in MODES for event in battle(rig, *mode).events):
        for effect in json.loads(canonical.encode(event))["effects"]:
            assert check.judge(effect, "$") is None
            if effect["type"] == "hurt":
                differs = check.judge({**effect, "amount": effect["amount"] + 1}, "$")
                found.append(None if differs is None else differs.path)
    assert set(found) <= {"$.amount", None}
    # Melody d6 says how many wounds were not saved, not what each of them costs.
    assert ("$.amount" in found) == (rig.ruleset.slug != "melody-d6")


def test_effects_of_another_form_are_told_and_nothing_worse(rig: Rig) -> None:
    for effect, check in _public_effects(battle(rig, *MODES[0])):
        if effect["type"] == "attack_resolved":
            values: tuple[Any, ...] = (
                None,
                7,
                "x",
                [],
                {},
                {"roll": 7},
                {"roll": {"faces": ["6"]}},
            )
            for value in values:
                check.judge({**effect, "detail": value, "outcome": value}, "$")
            assert check.judge({**effect, "outcome": 7}, "$") is not None


def test_options_that_are_none_are_told(rig: Rig) -> None:
    check = EffectCheck(rig.ruleset)
    differs = check.judge({"type": "options_set", "options": {"enemy_numbers": 7}}, "$")
    assert differs is not None
    assert differs.path == "$.options"
    assert options_of(rig.ruleset).__struct_fields__


def _public_effects(table: Table) -> list[tuple[dict[str, Any], EffectCheck]]:
    """Every effect that everybody sees, with what is known of the options by then."""
    check, effects = EffectCheck(table.ruleset), []
    for sealed in table.sealed:
        for effect in json.loads(sealed.body)["effects"]:
            if effect["type"] in ("encounter_created", "options_set"):
                assert check.judge(effect, "$") is None
            effects.append((effect, check))
    return effects


def _is_rolled(effect: dict[str, Any]) -> bool:
    return "roll" in effect or "roll" in effect.get("detail", {})
