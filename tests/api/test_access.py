"""Who may call: keys that are wrong, revoked, or may do less than was asked."""

from uuid import UUID

import httpx
import pytest

from service.eventstore.store import EventStore
from tests.api.serving import SHOT, SUPPLIED, Caller, Served, new_key, problem
from tests.api.streaming import eventually


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer wk_short",
        "Basic dTpw",
        f"Bearer wk_{'A' * 43}",
        "Bearer wk_" + "é" * 43,
    ],
)
def test_a_wrong_key_is_told_how_to_identify(
    served: Served, caller: Caller, authorization: str | None
) -> None:
    encounter = caller.started()
    given = [] if authorization is None else [(b"Authorization", authorization.encode())]
    for language in ("en", "ru"):
        headers = [*given, (b"Accept-Language", language.encode())]
        answer = httpx.get(served.url + encounter, headers=headers)
        told = problem(answer)
        assert (told["status"], told["code"]) == (401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="warlog"')


async def test_a_revoked_key_ends(served: Served, store: EventStore, tenant: UUID) -> None:
    token = await new_key(store, tenant, ("read",))
    with Caller(served.url, token) as soon_gone:
        assert soon_gone.get("/v1/encounters").status_code == 200
        [key] = await store.access.api_keys(tenant)
        assert await store.access.revoke_api_key(tenant, key.id)
        eventually(
            lambda: soon_gone.get("/v1/encounters").status_code != 200, "the key is still good"
        )
        assert problem(soon_gone.get("/v1/encounters"))["code"] == "unauthenticated"


async def test_a_key_does_what_its_scopes_say(
    served: Served, store: EventStore, tenant: UUID, caller: Caller
) -> None:
    encounter = caller.create(SUPPLIED)
    caller.act(encounter, {"type": "start_encounter"})
    before = caller.head(encounter)
    with Caller(served.url, await new_key(store, tenant, ("read",))) as reader:
        assert reader.get(encounter).status_code == 200
        told = problem(reader.post(f"{encounter}/actions", {"action": SHOT}))
        assert (told["code"], told["params"]) == ("scope_missing", {"scope": "play"})
        seated = reader.seated("vera")
        assert problem(seated.get(encounter))["params"] == {"scope": "act_as"}
        seated.http.close()
    with Caller(served.url, await new_key(store, tenant, ("read", "play"))) as player:
        told = problem(player.post(f"{encounter}/actions", {"action": SHOT, "dice": [1]}))
        assert (told["code"], told["params"]) == ("scope_missing", {"scope": "dice"})
    assert caller.head(encounter) == before
