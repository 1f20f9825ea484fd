"""Whole battles of released rulebooks: they audit clean, byte for byte, in every later build."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from service.engine.log.event import Event
from service.engine.vocabulary import effects as fx
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import Report
from service.rulesets import RULESETS
from tests.house.tree import ROOT
from tests.kit.table import SEED, Table
from tests.patience import PATIENCE_SECONDS
from tests.replay.forger import with_event
from tests.replay.golden import BATTLES, FOLDER, digests, main
from tests.replay.memory_audit import audit
from tests.replay.staging import BLUE, RED
from tests.rulesets.crossfire_d6.golden import sealed_battle
from tests.soak import with_soak

FILES = sorted(FOLDER.glob("*.ndjson"))


def test_no_frozen_bundle_was_made_anew() -> None:
    assert digests() == {path.name: sha256(path.read_bytes()).hexdigest() for path in FILES}


def test_a_frozen_bundle_is_not_made_anew() -> None:
    before = digests()
    with pytest.raises(SystemExit, match=r"crossfire-d6-sealed\.ndjson is frozen"):
        main(["crossfire-d6-sealed"])
    assert digests() == before


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def audited(lines: list[bytes]) -> Report:
    return audit_bundle(lines, RULESETS)


def test_every_battle_has_its_file_and_every_file_its_battle() -> None:
    names = sorted(path.stem for path in FILES)
    assert names == sorted(BATTLES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_bundle_audits_clean(path: Path) -> None:
    report = audited(lines_of(path))
    assert report.clean, report.first_failure or report.problems
    assert dict(report.counts) == BATTLES[path.stem].counts
    assert report.receipt == "genuine"
    assert report.dice is not msgspec.UNSET
    is_sealed = "supplied" not in path.stem
    assert report.dice.fairness == ("verified" if is_sealed else "not_verified")


@pytest.mark.parametrize("name", [name for name in sorted(BATTLES) if BATTLES[name].happened])
def test_a_golden_battle_holds_what_it_is_kept_for(name: str) -> None:
    happened: set[str] = set()
    for line in lines_of(FOLDER / f"{name}.ndjson"):
        told = msgspec.json.decode(line)
        if told.get("type") == "event":
            happened |= words_of(told["event"]["effects"]) | seats_of(told)
    assert happened >= BATTLES[name].happened


def seats_of(told: dict[str, Any]) -> set[str]:
    """What became of seats in one event, in words, and whether a co-GM acted."""
    event = told["event"]
    words = {"gm acted"} if event["by"].get("seat") and event["by"]["role"] == "gm" else set()
    for effect in event["effects"]:
        if effect["type"] == "seat_changed":
            done = "removed" if effect.get("removed") else "seated"
            words.add(f"{effect['seat']['role']} {done}")
            parts = msgspec.json.encode(told["parts"]).decode()
            is_unseen = event["action"]["type"] == "change_seat" and "bina" in parts
            words |= {"unseen control"} if is_unseen else set()
    return words


def words_of(effects: list[dict[str, Any]]) -> set[str]:
    """How attacks ended and questions were closed in one event, in words."""
    words: set[str] = set()
    for effect in effects:
        if effect["type"] == "attack_resolved":
            words.add(f"{effect['detail']['mode']} {effect['outcome']}")
            words |= {f"guess {effect['outcome']}"} if "place" in effect else set()
        elif effect["type"] == "area_resolved":
            item = effect.get("detail", {}).get("item", "explosion")
            words.add(f"{item} {effect['outcome']}")
        elif effect["type"] == "decision_closed":
            words.add(" ".join(filter(None, (effect.get("how"), effect.get("choice")))) or "sealed")
        elif effect["type"] == "action_stopped":
            words.add(f"stopped {effect['code']}")
        elif effect["type"] == "rewound" and effect["decisions"]:
            words.add("reissued")
    is_resumed = any(each["type"] in ("attack_resolved", "area_resolved") for each in effects)
    return words | ({"void and resumed"} if "void" in words and is_resumed else set())


@pytest.mark.parametrize(
    "path", with_soak(FILES[::3], [*FILES[1::3], *FILES[2::3]]), ids=lambda path: path.stem
)
@settings(max_examples=10, deadline=None)
@given(place=st.integers(0, 10**7), bit=st.integers(0, 7))
def test_no_bit_of_a_golden_bundle_can_be_flipped_unseen(path: Path, place: int, bit: int) -> None:
    whole = path.read_bytes()
    at = place % len(whole)
    broken = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
    try:
        assert not audited(broken.splitlines(keepends=True)).clean
    except DamagedBundle:
        return


@pytest.mark.soak
@pytest.mark.slow
def test_the_same_battle_gives_the_same_bytes_in_processes_that_hash_otherwise(
    tmp_path: Path,
) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.replay.golden import BATTLES, write\n"
        "for name in BATTLES: write(name, Path(sys.argv[1]))"
    )
    written = []
    for seed in ("0", "1", "4242"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", script, str(folder)],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            timeout=5 * PATIENCE_SECONDS,
        )
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1] == written[2]
    assert len(written[0]) == len(BATTLES)


# --- forged by somebody who holds every key -------------------------------------------------------


@pytest.fixture(scope="module")
def battle() -> Table:
    return sealed_battle()


def first_attack_of_red(table: Table) -> Event:
    return next(
        event
        for event in table.events
        if event.action.__struct_config__.tag == "ranged_attack"
        and event.draws
        and event.by.seat == RED.seat
    )


def test_a_forged_face_is_named(battle: Table) -> None:
    event = first_attack_of_red(battle)
    face = event.draws[0].face
    forged_face = face % 6 + 1

    def change(told: Event) -> Event:
        first = replace(told.draws[0], face=forged_face)
        return replace(told, draws=(first, *told.draws[1:]))

    report = audit(battle, with_event(battle, event.seq, change), seed=SEED)
    found = report.verdicts[event.seq - 1]
    assert (found.verdict, found.path) == ("mismatch", "$.draws[0].face")
    assert (found.stored, found.recomputed) == (Raw(b"%d" % forged_face), Raw(b"%d" % face))


def test_a_forged_outcome_is_named(battle: Table) -> None:
    event = first_attack_of_red(battle)
    [index] = [
        number
        for number, effect in enumerate(event.effects)
        if effect.__struct_config__.tag == "attack_resolved"
    ]
    resolved = event.effects[index]
    assert isinstance(resolved, fx.AttackResolved)
    outcome = "hit" if resolved.outcome == "miss" else "miss"

    def change(told: Event) -> Event:
        effects = list(told.effects)
        effects[index] = replace(effects[index], outcome=outcome)
        return replace(told, effects=tuple(effects))

    report = audit(battle, with_event(battle, event.seq, change), seed=SEED)
    found = report.verdicts[event.seq - 1]
    assert found.verdict == "mismatch"
    assert str(found.path).endswith(".outcome")


def test_a_shot_by_somebody_elses_player_is_refused(battle: Table) -> None:
    event = first_attack_of_red(battle)
    log = with_event(battle, event.seq, lambda told: replace(told, by=BLUE))
    report = audit(battle, log, seed=SEED)
    found = report.verdicts[event.seq - 1]
    assert (found.verdict, found.code) == ("refused", "not_your_combatant")
