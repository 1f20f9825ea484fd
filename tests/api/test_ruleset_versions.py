"""Two versions of one ruleset in one service, and a process that has the first one alone."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from service.app import build
from service.engine.ruleset.definition import Ruleset
from service.eventstore.embedded import Dsns
from service.replay.audit.bundle_audit import audit_bundle
from service.rulesets import RULESETS, latest
from tests.api.serving import START, Caller, Served, problem, settings_for
from tests.patience import PATIENT

SLUG: Final = "seeker-d100"
BOW = {"id": "bow", "skill": "ranged", "delivery": "arrow", "damage": {"sides": 6}}
SHOT = {"type": "attack", "combatant": "a", "weapon": "bow", "target": "t"}
DODGE = {"type": "dodge"}
DICE: Final = {"1": (49, 12, 4), "2": (49, 12), "3": (49, 12)}
"""At 50 per cent both succeed and the dodge is the worse roll; where it is opposed, a wound."""
AVOIDED: Final = ("avoided", "success")
OUTCOMES: Final = {"1": ("hit", "failure"), "2": AVOIDED, "3": AVOIDED}


def archery(version: str | None) -> dict[str, Any]:
    """A battle of a, who has a bow, and t, who may dodge; the table rolls."""

    def fighter(name: str, side: str, x: int, **more: object) -> dict[str, Any]:
        sheet = {"health": 12, "skills": {"ranged": 50, "dodge": 50}}
        return {"id": name, "side": side, "place": {"x": x, "y": 0}, **sheet, **more}

    cards = [{"combatant": "a", "card": 51}, {"combatant": "t", "card": 50}]
    named = {} if version is None else {"version": version}
    return {
        "ruleset": SLUG,
        **named,
        "dice": "supplied",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "combatants": [fighter("a", "red", 0, weapons=[BOW]), fighter("t", "blue", 9)],
            "battle": {"round": 1, "cards": cards, "turn": "a"},
        },
    }


def shot_at(caller: Caller, encounter: str, version: str) -> dict[str, Any]:
    """The resolution of a's shot, which t dodges."""
    asked = caller.act(encounter, SHOT)["decisions"][0]["id"]
    answer = {"type": "answer", "decision_id": asked, "choice": DODGE}
    done = caller.post(f"{encounter}/actions", {"action": answer, "dice": DICE[version]})
    assert done.status_code == 201, done.text
    [record] = done.json()["events"]
    effects = record["event"]["effects"]
    resolved: list[dict[str, Any]] = [e for e in effects if e["type"] == "attack_resolved"]
    return resolved[0]


def test_a_creation_gets_the_newest_version_unless_it_asks_for_another(caller: Caller) -> None:
    asked = {None: "3", "1": "1", "2": "2", "3": "3"}
    encounters = {version: caller.create(archery(version)) for version in asked}
    told = {each: caller.get(path).json() for each, path in encounters.items()}
    assert {each: view["version"] for each, view in told.items()} == asked
    created = {
        each: caller.get(f"{path}/events/1").json()["event"]["effects"][0]["version"]
        for each, path in encounters.items()
    }
    assert created == asked
    refused = problem(caller.post("/v1/encounters", archery("4")))
    assert (refused["status"], refused["code"], refused["allowed"]) == (
        422,
        "unknown_version",
        ["1", "2", "3"],
    )


def test_the_version_that_is_listed_as_default_is_what_a_creation_gets(caller: Caller) -> None:
    listed = caller.get("/v1/rulesets").json()["rulesets"]
    defaults = {slug: ruleset.version for slug, _ in RULESETS if (ruleset := latest(slug))}
    assert {each["slug"]: each["default"] for each in listed} == defaults
    details = {slug: caller.get(f"/v1/rulesets/{slug}").json() for slug in defaults}
    assert {slug: each["default"] for slug, each in details.items()} == defaults
    assert {slug: each["version"] for slug, each in details.items()} == defaults


@pytest.mark.parametrize("version", OUTCOMES)
def test_a_battle_is_previewed_decided_and_audited_by_its_own_version(
    caller: Caller, version: str
) -> None:
    encounter = caller.create(archery(version))
    caller.act(encounter, START)
    body = {"action": SHOT, "answers": [{"combatant": "t", "choice": DODGE}]}
    preview = caller.post(f"{encounter}/preview", body).json()
    odds = {each["outcome"]: each["percent_milli"] for each in preview["odds"]}
    # Half of the shots are good, and half of the dodges: alone they avoid a quarter of all.
    assert (odds["avoided"] == 25_000) == (version != "1")
    resolved = shot_at(caller, encounter, version)
    assert (resolved["outcome"], resolved["answered"]["outcome"]) == OUTCOMES[version]
    report = caller.get(f"{encounter}/audit").json()
    assert (report["clean"], report["version"], report["counts"]) == (
        True,
        version,
        {"match": report["head"]},
    )
    bundle = caller.get(f"{encounter}/bundle").content.splitlines(keepends=True)
    assert audit_bundle(bundle, RULESETS).counts == report["counts"]


READ: Final = (
    *("", "/events", "/events/1", "/bundle", "/audit", "/map", "/scene", "/seats", "/timers"),
    *("/stream", "/legal-actions?combatant=a"),
)


@pytest.fixture(scope="module")
def older(database: Dsns) -> Iterator[Served]:
    """A process of a build that came before version 2."""
    known: dict[tuple[str, str], Ruleset[Any]] = {
        name: ruleset for name, ruleset in RULESETS.items() if name[1] == "1"
    }
    with Served(
        settings_for(database), edge=build(settings_for(database), rulesets=known, patience=PATIENT)
    ) as running:
        yield running


def test_a_process_without_a_version_refuses_its_battles_and_no_others(
    caller: Caller, older: Served
) -> None:
    first, second = (caller.create(archery(version)) for version in ("1", "2"))
    for encounter in (first, second):
        caller.act(encounter, START)
        notes = [{"action": {"type": "note", "text": "hm"}} for _ in range(32)]
        for _ in range(3):
            caller.post(f"{encounter}/actions", {"actions": notes})
    with Caller(older.url, caller.token) as before:
        for path in READ:
            refused = before.get(second + path)
            told = problem(refused)
            assert (told["status"], told["code"]) == (503, "newer_version"), path
            assert refused.headers["Retry-After"] == "30"
        for path in ("actions", "preview"):
            acted = before.post(f"{second}/{path}", {"action": SHOT})
            assert problem(acted)["code"] == "newer_version", path
        assert shot_at(before, first, "1")["outcome"] == OUTCOMES["1"][0]
        assert before.get("/v1/encounters").json()["encounters"][-1]["version"] == "2"
        assert before.get(f"/v1/rulesets/{SLUG}").json()["versions"] == ["1"]
        assert before.get(before.create(archery(None))).json()["version"] == "1"
        assert problem(before.post("/v1/encounters", archery("2")))["code"] == "unknown_version"
    assert shot_at(caller, second, "2")["outcome"] == OUTCOMES["2"][0]
    reports = [caller.get(f"{each}/audit").json() for each in (first, second)]
    assert [(each["version"], each["clean"]) for each in reports] == [("1", True), ("2", True)]
