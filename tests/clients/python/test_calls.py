"""Calls of both drivers against a running service, for every ruleset."""

import contextlib
import inspect
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from tests.api.serving import START, Caller
from tests.clients.bodies import creations_shown
from tests.encounters.random_actions import RULESETS, battle, reply
from warlog import (
    AsyncBattle,
    AsyncWarlog,
    Battle,
    Domain,
    Event,
    Hello,
    MyKey,
    NotListed,
    Problem,
    Warlog,
    new_token,
    patched,
)


@pytest.fixture
def warlog(caller: Caller) -> Iterator[Warlog]:
    """A client with the key."""
    with Warlog(caller.url, caller.token) as client:
        yield client


def begun(warlog: Warlog, ruleset: str) -> Battle:
    """A battle under way."""
    table = warlog.battle(warlog.create_encounter(battle(ruleset, "sealed")).encounter)
    table.act(START)
    return table


@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_walks_of_the_legal_tree_are_legal(warlog: Warlog, ruleset: str) -> None:
    """All but answers: whoever is asked for dice of the table rolls them."""
    table, chance = begun(warlog, ruleset), Random(ruleset)
    for _ in range(12):
        asked = table.read().decisions
        if asked:
            question = {"id": asked[0].id, "options": asked[0].options}
            action, _faces = reply(chance, ruleset, question)
            table.act(action)
            continue
        node = chance.choice(table.legal_actions().actions)
        assert table.preview(node.example).legal
        action = node.random(chance)
        # A disc and a path say how far, not where somebody is.
        is_sure = not any(each.kind in ("disc", "path") for each in node.params.values())
        with contextlib.nullcontext() if is_sure else contextlib.suppress(Problem):
            table.act(action)
    followed = table.follow(after=0)
    for _ in followed:
        if table.status == "live":
            break
    followed.close()
    view = table.read()
    assert (table.state, table.table, table.decisions) == (view.state, view.table, view.decisions)
    assert table.seq == view.seq


def names(params: Mapping[str, Domain]) -> set[str]:
    """Parameters, those that values bring among them."""
    below = [names(each.params) for domain in params.values() for each in domain.choices]
    return set(params).union(*below)


def test_a_node_is_completed_or_says_what_is_missing(warlog: Warlog) -> None:
    table = begun(warlog, "crossfire-d6")
    tree = table.legal_actions()
    for node in tree.actions:
        chosen = {name: node.example[name] for name in names(node.params) & node.example.keys()}
        action = node.complete(chosen)
        assert action.items() <= node.example.items()
        assert table.preview(action).legal
    attack = next(
        each
        for each in tree.actions
        if not all(domain.is_optional for domain in each.params.values())
    )
    with pytest.raises(NotListed, match="is missing"):
        attack.complete()
    name = next(iter(attack.params))
    with pytest.raises(NotListed) as raised:
        attack.complete({name: "nobody"})
    assert (raised.value.parameter, raised.value.allowed) == (name, attack.params[name].raw)
    free = next(each for each in tree.actions if not each.params)
    with pytest.raises(NotListed, match="is no parameter"):
        free.complete(colour="red")


async def test_the_drivers_tell_the_same(warlog: Warlog, caller: Caller) -> None:
    blocking = begun(warlog, "seeker-d100")
    async with AsyncWarlog(caller.url, caller.token) as client:
        awaiting = client.battle(blocking.encounter)
        assert await awaiting.read() == blocking.read()
        assert await awaiting.read_scene() == blocking.read_scene()
        assert await awaiting.svg() == blocking.svg()
        assert await awaiting.sketch() == blocking.sketch()
        assert await awaiting.seats() == blocking.seats()
        assert (await awaiting.audit())["counts"] == blocking.audit()["counts"]
        assert [each async for each in awaiting.log()] == list(blocking.log())
        lines = b"".join([piece async for piece in awaiting.bundle()])
        assert lines == b"".join(blocking.bundle())
        assert lines == caller.get(f"/v1/encounters/{blocking.encounter}/bundle").content
        assert await client.rulesets() == warlog.rulesets()
        schema = await client.ruleset_schema("seeker-d100")
        assert schema == warlog.ruleset_schema("seeker-d100")
        assert await awaiting.read_seat("rita") == blocking.seats().seats[0]
        assert await client.signing_keys() == warlog.signing_keys()
        me = await client.me()
        assert isinstance(me, MyKey)
        assert me == warlog.me()
        with pytest.raises(Problem) as raised:
            await awaiting.act({"type": "rewind", "to": 99})
        with pytest.raises(Problem) as again:
            blocking.act({"type": "rewind", "to": 99})
        assert raised.value.args == again.value.args


def test_a_problem_has_its_facts(warlog: Warlog) -> None:
    table = begun(warlog, "crossfire-d6")
    with pytest.raises(Problem) as raised:
        table.act({"type": "rewind", "to": 99})
    told = raised.value
    assert (told.status, told.code, told.path) == (422, "unknown_event", None)
    with pytest.raises(Problem) as malformed:
        table.act({"type": "dance"})
    assert (malformed.value.status, malformed.value.path) == (400, "$.action.type")
    head = table.act({"type": "note", "text": "first"}).etag
    table.act({"type": "note", "text": "second"}, expecting=head)
    with pytest.raises(Problem) as moved_on:
        table.act({"type": "note", "text": "late"}, expecting=head)
    assert moved_on.value.status == 412


def test_the_same_key_gives_the_same_answer(warlog: Warlog) -> None:
    table = begun(warlog, "melody-d6")
    note = {"type": "note", "text": "once"}
    first, second = table.act(note, key="mine"), table.act(note, key="mine")
    assert (first.version, first.events) == (second.version, second.events)
    assert table.act(note).version == first.version + 1


def test_somebody_joins_acts_for_a_seat_and_is_removed(warlog: Warlog, caller: Caller) -> None:
    table = begun(warlog, "tactical-d20")
    invitation = table.invite("rita").invitation
    assert invitation is not None
    with Warlog(caller.url) as lobby:
        joined = lobby.join(invitation.code)
    assert (joined.encounter, joined.seat, joined.role) == (table.encounter, "rita", "player")
    with Warlog(caller.url, joined.token) as mine:
        battle = mine.battle(joined.encounter)
        followed = battle.follow()
        told = [type(next(followed)).__name__ for _ in range(2)]
        assert told == ["Hello", "Status"]
        assert (battle.role, battle.my_seat, battle.status) == ("player", "rita", "live")
        table.remove_seat("rita")
        last = [record for record in followed if not isinstance(record, Event)][-1]
        assert getattr(last, "reason", None) == "revoked"
        with pytest.raises(Problem) as raised:
            mine.me()
        assert raised.value.status == 401


def test_a_game_master_reads_what_a_seat_sees(warlog: Warlog) -> None:
    table = begun(warlog, "seeker-d100")
    table.act({"type": "note", "gm_text": "nobody else hears it"})
    through = warlog.battle(table.encounter, view="olaf")
    theirs = warlog.battle(table.encounter, seat="olaf")
    for each in (through, theirs):
        for _ in each.follow(after=0, narrate="en"):
            if each.status == "live":
                break
    assert through.document == theirs.document
    assert through.state != table.read().state
    assert list(through.log()) == list(theirs.log())
    assert through.read_scene() == theirs.read_scene()


async def test_a_bundle_is_judged_and_told_again(warlog: Warlog, caller: Caller) -> None:
    table = begun(warlog, "melody-d6")
    table.act({"type": "note", "gm_text": "of the game master"})
    bundle = b"".join(table.bundle())
    report = warlog.audit_bundle(bundle, keys="own")
    assert (report["clean"], report["signer"], report["head"]) == (True, "trusted", 3)
    told = list(warlog.audit_records(bundle, include="state,scene", viewpoint="red"))
    async with AsyncWarlog(caller.url, caller.token) as client:
        records = client.audit_records(bundle, include="state,scene", viewpoint="red")
        assert [each async for each in records if each["type"] == "event"] == [
            each for each in told if each["type"] == "event"
        ]
    seen = warlog.battle(table.encounter, view="rita")
    views = [each["views"] for each in told if each["type"] == "event"]
    assert [view["state"] for [view] in views] == [seen.read(at=at).state for at in (1, 2, 3)]
    assert [view["scene"] for [view] in views] == [
        seen.read_scene(at=at)["scene"] for at in (1, 2, 3)
    ]
    assert told[-1]["type"] == "report"
    with pytest.raises(Problem) as raised:
        warlog.audit_bundle(b"no bundle\n")
    assert raised.value.status == 400


def test_the_map_is_read(warlog: Warlog, caller: Caller) -> None:
    creation = next(each for each in creations_shown() if "map" in each["setup"])
    table = warlog.battle(warlog.create_encounter(creation).encounter)
    assert table.read_map() == caller.get(f"/v1/encounters/{table.encounter}/map").json()
    with pytest.raises(Problem) as raised:
        table.read_map(digest="0" * 64)
    assert raised.value.code == "unknown_map"


@pytest.mark.soak
def test_a_battle_is_simulated(warlog: Warlog) -> None:
    table = begun(warlog, "crossfire-d6")
    options = {"seed": "07" * 32, "max_rounds": 2}
    first, second = (table.simulate(2, 3, options=options) for _ in range(2))
    assert (first.asked, first.ended, first.simulation) == (3, "complete", second.simulation)
    assert table.read().seq == 2


def test_pages_bring_patches(warlog: Warlog) -> None:
    table = begun(warlog, "seeker-d100")
    document: object = {}
    for event in table.events(state=True, scene=True).events:
        document = patched(document, event.patch or ())
    view = table.read()
    names = ("decisions", "scene", "state", "table")
    assert isinstance(document, dict)
    assert sorted(document) == list(names)
    assert (document["state"], document["table"]) == (view.state, view.table)
    assert document["scene"] == table.read_scene()["scene"]


def test_a_player_is_told_how_far_it_may_take_back(warlog: Warlog) -> None:
    table = begun(warlog, "crossfire-d6")
    mine = warlog.battle(table.encounter, seat="rita")
    with contextlib.closing(mine.follow()) as followed:
        hello = next(followed)
    assert isinstance(hello, Hello)
    told = mine.read().table
    assert (mine.undo_to, mine.undo_bar) == (told.get("undo_to"), told.get("undo_bar"))
    assert mine.undo_bar is not None
    assert (mine.receipt, hello.receipt.seq) == (hello.receipt, 2)


def caught_up(battle: Battle) -> str:
    """Follow until what is held is the present; how current it is once nobody follows."""
    with contextlib.closing(battle.follow(scene=True)) as followed:
        while battle.status != "live":
            next(followed)
    return str(battle.status)


def test_the_scene_is_kept_and_resumed(warlog: Warlog) -> None:
    table = begun(warlog, "tactical-d20")
    watching = warlog.battle(table.encounter, seat="rita")
    for text in ("a", "b"):
        assert caught_up(watching) == "offline"
        table.act({"type": "note", "text": text})
    caught_up(watching)
    assert watching.seq == 4
    told = watching.read_scene()
    assert watching.scene == told["scene"]
    assert watching.state == watching.read().state
    fresh = warlog.battle(table.encounter, seat="rita")
    with contextlib.closing(fresh.follow(scene=True, after=watching.cursor)) as followed:
        next(followed)
    assert (fresh.cursor, fresh.document) == (watching.cursor, watching.document)


@pytest.mark.parametrize("token", [None, new_token()], ids=["made", "given"])
def test_a_join_may_be_repeated(caller: Caller, warlog: Warlog, token: str | None) -> None:
    table = begun(warlog, "melody-d6")
    invitation = table.invite("rita").invitation
    assert invitation is not None
    with Warlog(caller.url) as lobby:
        first = lobby.join(invitation.code, token=token)
        assert token in (None, first.token)
        assert lobby.join(invitation.code.lower(), token=first.token) == first
        with pytest.raises(Problem) as raised:
            lobby.join(invitation.code)
    assert raised.value.code == "unknown_invitation"
    with Warlog(caller.url, first.token) as mine:
        assert mine.battle(table.encounter).read().encounter == table.encounter
        other = mine.add_device().invitation
    assert other is not None
    with Warlog(caller.url) as lobby:
        assert lobby.join(other.code).seat == "rita"


@pytest.mark.parametrize(
    ("blocking", "awaiting"),
    [(Warlog, AsyncWarlog), (Battle, AsyncBattle)],
    ids=["service", "battle"],
)
def test_both_drivers_have_the_same_methods(blocking: type, awaiting: type) -> None:
    def methods(kind: type) -> dict[str, object]:
        return {
            name: getattr(each, "__wrapped__", None)
            for name, each in inspect.getmembers(kind)
            if not name.startswith("_")
        }

    assert methods(blocking) == methods(awaiting)
