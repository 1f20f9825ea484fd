"""Two releases serve one database: what the older one does not know is held back until the end.

The older one is a process that knows less, and the rows and sessions of an older build.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import UUID

import asyncpg
import pytest

from service import app
from service.app import build
from service.encounters.principal import SCOPES
from service.engine.ruleset.definition import Ruleset
from service.errors import BuildTooOld
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import downgrade, upgrade
from service.eventstore.store import EventStore
from service.eventstore.upgrades import finish_upgrade
from service.releases import BUILD, FIRST_LOWEST, Release
from service.rulesets import RULESETS
from tests.api.serving import CREATION, START, Caller, Served, new_key, problem, settings_for
from tests.api.test_ruleset_versions import READ, archery
from tests.conftest import user_of
from tests.patience import PATIENCE_SECONDS, PATIENT

SLUG: Final = "seeker-d100"
NEW_SLUG: Final = "squad-d100"
KNOWN: Final[Mapping[tuple[str, str], Ruleset[Any]]] = {
    name: RULESETS[name]
    for name in (("crossfire-d6", "1"), (SLUG, "1"), (SLUG, "2"), (NEW_SLUG, "2"))
}
"""What the newer process knows, all versions of one ruleset being new."""
TABLE: Final = (
    Release(number=FIRST_LOWEST, versions={"crossfire-d6": "1", SLUG: "1"}),
    Release(
        number=BUILD,
        versions={SLUG: "2", NEW_SLUG: "2"},
        actions=("note", "crossfire-d6/go_prone"),
        changes=("hp", f"{SLUG}/place"),
        options=("decision_seconds", f"{SLUG}/turn_seconds"),
    ),
)
ROUTES: Final = tuple(path for path in READ if path != "/stream")
"""Reads that come to an end."""
NOTE: Final = {"type": "note", "text": "hm"}
PRONE: Final = {"type": "go_prone", "combatant": "hunter"}
FACE: Final = {"type": "set_facing", "combatant": "hunter", "facing": "N"}
HURT: Final = {
    "type": "adjust",
    "changes": [
        {"type": "posture", "combatant": "hunter", "posture": "open"},
        {"type": "hp", "combatant": "hunter", "value": 3},
        {"type": "hp", "combatant": "raider", "value": 3},
    ],
}
TIMED: Final = {"type": "configure", "options": {"decision_seconds": 60}}


@pytest.fixture
def upgrading(empty_database: Dsns) -> Dsns:
    """A database whose upgrade is unfinished."""
    app_role, eraser_role = user_of(empty_database.app), user_of(empty_database.eraser)
    asyncio.run(
        upgrade(
            empty_database.owner,
            app_role=app_role,
            eraser_role=eraser_role,
            releases=TABLE[:1],
        )
    )
    return empty_database


@pytest.fixture(autouse=True)
def rows_are_renewed_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SEEN_SECONDS", 0.05)


@pytest.fixture
def token(upgrading: Dsns) -> str:
    async def made() -> str:
        store = await EventStore.open(upgrading.app, patience=PATIENT)
        tenant = await store.access.create_tenant(UUID(int=7), "upgrading")
        token = await new_key(store, tenant.id, SCOPES)
        await store.close()
        return token

    return asyncio.run(made())


@contextlib.contextmanager
def newer(dsns: Dsns, token: str) -> Iterator[Caller]:
    """A process of the newer release."""
    settings = settings_for(dsns)
    edge = build(settings, rulesets=KNOWN, releases=TABLE, patience=PATIENT)
    with Served(settings, edge=edge) as served, Caller(served.url, token) as caller:
        yield caller


@contextlib.contextmanager
def older(dsns: Dsns, token: str) -> Iterator[Caller]:
    """A process that knows what the release before knew."""
    settings = settings_for(dsns)
    known = {name: KNOWN[name] for name in (("crossfire-d6", "1"), (SLUG, "1"))}
    edge = build(settings, rulesets=known, releases=TABLE[:1], patience=PATIENT)
    with Served(settings, edge=edge) as served, Caller(served.url, token) as caller:
        yield caller


@pytest.fixture
def caller(upgrading: Dsns, token: str) -> Iterator[Caller]:
    with newer(upgrading, token) as one:
        yield one


def finish(dsns: Dsns) -> bool:
    """Let the operator finish the upgrade; whether that was possible."""
    return asyncio.run(finish_upgrade(dsns.owner, TABLE)).is_finished


def set_lowest(dsns: Dsns, release: str) -> None:
    owner_does(dsns, "UPDATE schema_version SET lowest_release = $1", release)


def owner_does(dsns: Dsns, statement: str, *values: object) -> list[tuple[object, ...]]:
    async def done() -> list[tuple[object, ...]]:
        session = await asyncpg.connect(dsns.owner)
        try:
            return [tuple(row) for row in await session.fetch(statement, *values)]
        finally:
            await session.close()

    return asyncio.run(done())


def default_of(caller: Caller, slug: str) -> str | None:
    """The version of new encounters that name none, as the service says."""
    listed = caller.get("/v1/rulesets").json()["rulesets"]
    [default] = [each.get("default") for each in listed if each["slug"] == slug]
    detail = caller.get(f"/v1/rulesets/{slug}").json()
    assert detail.get("default") == default
    assert default in {None, detail["version"]}
    return default if default is None else str(default)


def until_default(caller: Caller, version: str) -> None:
    """Wait until the process knows that the upgrade is finished."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while caller.get(f"/v1/rulesets/{SLUG}").json().get("default") != version:
        assert time.monotonic() < deadline, "the process does not notice"
        time.sleep(0.02)


def held(caller: Caller, path: str, tree: object) -> dict[str, Any]:
    """What a request is refused with that is held back."""
    answer = caller.post(path, tree)
    told = problem(answer)
    assert (told["status"], told["code"]) == (503, "upgrade_unfinished"), told
    assert answer.headers["Retry-After"] == "120"
    params: dict[str, Any] = told["params"]
    assert params.pop("release") == BUILD
    assert "warlog migrate --finish" in told["detail"]
    return params


def legal(caller: Caller, encounter: str) -> set[str]:
    """The types of what the hunter may do, listed with all others and alone."""
    answer = caller.get(f"{encounter}/legal-actions").json()
    [everything] = [
        {node["type"] for node in each["actions"]}
        for each in answer["actors"]
        if each.get("combatant") == "hunter"
    ]
    alone = caller.get(f"{encounter}/legal-actions?combatant=hunter").json()["actions"]
    assert {node["type"] for node in alone} == everything
    return everything


def test_creations_get_what_the_release_before_knows_until_the_upgrade_is_finished(
    upgrading: Dsns, token: str
) -> None:
    with newer(upgrading, token) as caller, older(upgrading, token) as before:
        assert default_of(caller, SLUG) == "1"
        first = caller.create(archery(None))
        caller.act(first, START)
        # The older process serves it on every route, and continues it.
        assert caller.get(first).json()["version"] == "1"
        assert [path for path in ROUTES if before.get(first + path).status_code >= 500] == []
        before.act(first, {"type": "aim", "combatant": "a"})
        # What names its version gets it, at once.
        second = caller.create(archery("2"))
        assert caller.get(second).json()["version"] == "2"
        assert problem(before.get(second))["code"] == "newer_version"
        assert finish(upgrading)
        until_default(caller, "2")
        assert caller.get(caller.create(archery(None))).json()["version"] == "2"
        assert caller.get(caller.create(archery("1"))).json()["version"] == "1"
        assert caller.get(first).json()["version"] == "1"


def test_an_unknown_version_is_refused_as_ever(caller: Caller) -> None:
    refused = problem(caller.post("/v1/encounters", archery("3")))
    assert (refused["status"], refused["code"], refused["allowed"]) == (
        422,
        "unknown_version",
        ["1", "2"],
    )


def test_a_ruleset_that_is_wholly_new_has_no_default(upgrading: Dsns, caller: Caller) -> None:
    creation = {**CREATION, "ruleset": NEW_SLUG}
    assert default_of(caller, NEW_SLUG) is None
    assert held(caller, "/v1/encounters", creation) == {"ruleset": NEW_SLUG}
    assert held(caller, "/v1/maps", {"ruleset": NEW_SLUG, "map": {}}) == {"ruleset": NEW_SLUG}
    # Named, it is read by its own rules.
    named = problem(caller.post("/v1/encounters", {**creation, "version": "2"}))
    assert (named["status"], named["code"]) == (400, "malformed")
    assert finish(upgrading)
    until_default(caller, "2")
    assert default_of(caller, NEW_SLUG) == "2"
    assert problem(caller.post("/v1/encounters", creation))["code"] == "malformed"


def test_what_the_release_before_does_not_know_is_refused_and_nothing_is_written(
    upgrading: Dsns, caller: Caller
) -> None:
    encounter = caller.create()
    before = caller.head(encounter)
    act, preview, forks = (f"{encounter}/{path}" for path in ("actions", "preview", "forks"))
    several = {"actions": [{"action": each} for each in (FACE, NOTE, HURT)]}
    refused = {
        "configure": held(caller, act, {"action": TIMED}),
        "note": held(caller, act, {"action": NOTE}),
        "several": held(caller, act, several),
        "preview": held(caller, preview, {"action": PRONE}),
        "fork": held(caller, forks, {"at": 1, "actions": [{"action": NOTE}]}),
    }
    assert refused == {
        "configure": {"options": ["decision_seconds"]},
        "note": {"actions": ["note"]},
        "several": {"actions": ["note"], "changes": ["hp"]},
        "preview": {"actions": ["go_prone"]},
        "fork": {"actions": ["note"]},
    }
    assert caller.head(encounter) == before
    assert len(caller.get("/v1/encounters").json()["encounters"]) == 1
    # What it knows is done meanwhile.
    caller.act(encounter, {"type": "configure", "options": {"turn_seconds": 600}})
    caller.act(encounter, START)
    caller.act(encounter, FACE)
    for action in (PRONE, HURT):
        held(caller, act, {"action": action})
    before_finish = legal(caller, encounter)
    assert finish(upgrading)
    until_default(caller, "2")
    assert legal(caller, encounter) - before_finish == {"go_prone"}
    assert before_finish < legal(caller, encounter)
    for action in (NOTE, HURT, PRONE):
        caller.act(encounter, action)
    assert caller.post(forks, {"at": 2, "actions": [{"action": NOTE}]}).status_code == 201


def test_an_option_that_is_held_back_is_refused_in_a_creation(
    upgrading: Dsns, caller: Caller
) -> None:
    options = {"decision_seconds": 60, "turn_seconds": 60}
    timed = {**CREATION, "setup": {**CREATION["setup"], "options": options}}
    assert held(caller, "/v1/encounters", timed) == {"options": ["decision_seconds"]}
    other = archery(None)
    other["setup"]["options"] = options
    both = ["decision_seconds", "turn_seconds"]
    assert held(caller, "/v1/encounters", other) == {"options": both}
    assert caller.get("/v1/encounters").json()["encounters"] == []
    # A battle of a version that the release before does not know is none of its battles.
    caller.create({**other, "version": "2"})
    assert finish(upgrading)
    until_default(caller, "2")
    caller.create(timed)


def test_nothing_is_held_back_in_a_battle_of_a_version_that_was_named(caller: Caller) -> None:
    first, second = (caller.create(archery(version)) for version in ("1", "2"))
    move = {"type": "place", "combatant": "a", "place": {"x": 1, "y": 0}}
    adjust = {"type": "adjust", "changes": [move]}
    for action in (NOTE, adjust, TIMED):
        held(caller, f"{first}/actions", {"action": action})
        caller.act(second, action)
    fork = {"at": 1, "actions": [{"action": NOTE}]}
    assert caller.post(f"{second}/forks", fork).status_code == 201


def test_a_problem_names_what_is_held_back_in_both_languages(caller: Caller) -> None:
    encounter = caller.create()
    body = {"actions": [{"action": each} for each in (PRONE, TIMED, HURT)]}
    told = {
        language: problem(caller.post(f"{encounter}/actions", body, accept_language=language))
        for language in ("en", "ru")
    }
    assert {language: each["detail"] for language, each in told.items()} == {
        "en": (
            f"Held back until the upgrade to {BUILD} is finished. Actions: going prone. Changes:"
            " hp. Options: decision_seconds. Nothing was written. The operator finishes it with"
            " 'warlog migrate --finish'."
        ),
        "ru": (
            f"Отложено до конца обновления до {BUILD}. Действия: лечь. Изменения: hp. Настройки:"
            " decision_seconds. Ничего не записано. Хозяин завершает обновление командой «warlog"
            " migrate --finish»."
        ),
    }


def test_a_request_that_was_done_elsewhere_is_answered_again(
    upgrading: Dsns, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "SEEN_SECONDS", PATIENCE_SECONDS * 10)
    with newer(upgrading, token) as late:
        encounter = late.create()
        held(late, f"{encounter}/actions", {"action": NOTE})
        assert finish(upgrading)
        with newer(upgrading, token) as caller:
            sent = [
                each.post(f"{encounter}/actions", {"action": NOTE}, idempotency_key="k")
                for each in (caller, late)
            ]
            assert [each.status_code for each in sent] == [201, 201]
            assert sent[0].json()["events"] == sent[1].json()["events"]
            # The other one learns of it a moment later.
            held(late, f"{encounter}/actions", {"action": NOTE})


def test_a_process_that_serves_has_a_row_until_its_orderly_end(upgrading: Dsns, token: str) -> None:
    asked = "SELECT build, rulesets, seen_at > started_at FROM serving_process"
    versions = [f"{slug} {version}" for slug, version in KNOWN]
    with newer(upgrading, token):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while owner_does(upgrading, asked) != [(BUILD, versions, True)]:
            assert time.monotonic() < deadline, owner_does(upgrading, asked)
            time.sleep(0.02)
    assert owner_does(upgrading, asked) == []


def test_readiness_does_not_wait_for_the_end_of_an_upgrade(upgrading: Dsns, caller: Caller) -> None:
    assert caller.get("/health/ready").status_code == 200
    # It does look at whether this process may be there at all.
    set_lowest(upgrading, "99.0.0")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (answer := caller.get("/health/ready")).status_code == 200:
        assert time.monotonic() < deadline, "the process does not notice"
        time.sleep(0.02)
    told = problem(answer)
    assert (told["status"], told["code"], told["params"]) == (
        503,
        "build_too_old",
        {"build": BUILD, "lowest": "99.0.0"},
    )


async def test_a_build_below_the_lowest_release_does_not_start(upgrading: Dsns) -> None:
    session = await asyncpg.connect(upgrading.owner)
    await session.execute("UPDATE schema_version SET lowest_release = '99.0.0'")
    edge = build(settings_for(upgrading), patience=PATIENT)
    with pytest.RaisesGroup(BuildTooOld):
        async with edge.application.lifespan():
            pass
    assert await session.fetch("SELECT FROM serving_process") == []
    await session.close()


def test_on_a_schema_of_the_release_before_everything_new_is_held_back(
    upgrading: Dsns, token: str
) -> None:
    asyncio.run(downgrade(upgrading.owner, revision="0015"))
    with newer(upgrading, token) as caller:
        assert default_of(caller, SLUG) == "1"
        encounter = caller.create(archery(None))
        held(caller, f"{encounter}/actions", {"action": NOTE})
        roles = user_of(upgrading.app), user_of(upgrading.eraser)
        asyncio.run(upgrade(upgrading.owner, app_role=roles[0], eraser_role=roles[1]))
        assert finish(upgrading)
        until_default(caller, "2")


def test_after_going_back_the_release_before_serves_every_battle(
    upgrading: Dsns, token: str
) -> None:
    with newer(upgrading, token) as caller:
        encounters = [caller.create(archery(None)), caller.create()]
        for encounter in encounters:
            caller.act(encounter, START)
    with older(upgrading, token) as before:
        assert [
            (encounter, path)
            for encounter in encounters
            for path in ROUTES
            if before.get(encounter + path).status_code >= 500
        ] == []
        before.act(encounters[1], FACE)
    # And forward again, to the same place.
    with newer(upgrading, token) as caller:
        assert default_of(caller, SLUG) == "1"
        assert finish(upgrading)
        until_default(caller, "2")
