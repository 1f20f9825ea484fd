"""`warlog tenants delete`: a tenant goes for good, under the eyes of a running service."""

import json
import os
import secrets
from collections.abc import Iterator

import pytest

from service.cli import run
from service.eventstore.embedded import Dsns
from service.exits import Exit
from tests.api.serving import SHOT, Caller, Served, problem, settings_for
from tests.api.streaming import eventually


@pytest.fixture
def served(database: Dsns, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A running service, and an environment whose commands work on its database."""
    for name in [name for name in os.environ if name.startswith("WARLOG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    monkeypatch.setenv("WARLOG_ERASE_URL", database.eraser)
    with Served(settings_for(database)) as running:
        yield running


class Tenant:
    """A tenant made at the command line, with a key."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.name = f"guild {secrets.token_hex(4)}"
        # The service may say where it serves at this very moment.
        self.id = self.says("tenants", "create", self.name).splitlines()[-1]
        self.key = self.says("keys", "create", "a laptop", "--tenant", self.name).splitlines()[-1]

    def says(self, *arguments: str, code: Exit = Exit.OK) -> str:
        self._capsys.readouterr()
        assert run(list(arguments)) == code
        return self._capsys.readouterr().out.strip()

    def listed(self) -> dict[str, str]:
        """What the list says of it."""
        lines = self.says("tenants", "list", "--json").splitlines()
        [found] = [line for line in map(json.loads, lines) if line["id"] == self.id]
        return dict(found)


@pytest.fixture
def guild(served: Served, capsys: pytest.CaptureFixture[str]) -> Tenant:
    assert served.url
    return Tenant(capsys)


def test_a_deleted_tenant_is_gone_for_the_running_service(served: Served, guild: Tenant) -> None:
    with Caller(served.url, guild.key) as caller:
        encounters = [caller.started() for _ in range(3)]
        assert guild.says("tenants", "delete", guild.name, "--yes").endswith(": 3")
        # Until the key is looked up again nothing is found; after that there is no key.
        for answer in (
            caller.get(encounters[0]),
            caller.post(f"{encounters[1]}/actions", {"action": SHOT}),
        ):
            assert (answer.status_code, problem(answer)["code"]) in {
                (404, "unknown_encounter"),
                (401, "unauthenticated"),
            }
        eventually(lambda: caller.get(encounters[0]).status_code == 401, "the key is still known")
        for answer in (caller.get(encounters[0]), caller.get("/v1/encounters")):
            assert (answer.status_code, problem(answer)["code"]) == (401, "unauthenticated")
    assert guild.listed()["name"] == f"deleted {guild.id}"
    assert guild.listed()["deleted_at"] is not None


def test_deleting_again_by_id_does_no_harm_and_the_name_is_free(guild: Tenant) -> None:
    guild.says("tenants", "delete", guild.name, "--yes")
    assert guild.says("tenants", "delete", guild.id, "--yes").endswith(": 0")
    again = guild.says("tenants", "create", guild.name)
    assert again != guild.id
    assert guild.listed()["name"] == f"deleted {guild.id}"


def test_nothing_is_deleted_unless_it_is_meant_and_known(guild: Tenant) -> None:
    guild.says("tenants", "delete", guild.name, code=Exit.USAGE)
    guild.says("tenants", "delete", f"not {guild.name}", "--yes", code=Exit.USAGE)
    assert guild.listed()["deleted_at"] is None
    guild.says("keys", "create", "another", "--tenant", guild.name)


def test_origins_are_added_listed_and_removed(served: Served, guild: Tenant) -> None:
    assert guild.says("tenants", "origins", guild.name) == ""
    added = ("--add", "https://B.example:443", "--add", "http://a.example:8000")
    listed = guild.says("tenants", "origins", guild.name, *added)
    assert listed.splitlines() == ["http://a.example:8000", "https://b.example"]
    with Caller(served.url, guild.key) as caller:

        def allowed() -> str | None:
            answer = caller.get("/v1/encounters", origin="https://b.example")
            told: str | None = answer.headers.get("Access-Control-Allow-Origin")
            return told

        eventually(lambda: allowed() is not None, "the list is not known")
        assert allowed() == "https://b.example"
    gone = ("tenants", "origins", guild.id, "--remove", "HTTPS://b.example")
    assert guild.says(*gone) == "http://a.example:8000"
    guild.says(*gone, code=Exit.WRONG)
    for wrong in ("*", "null", "https://a.example/", "a.example"):
        guild.says("tenants", "origins", guild.name, "--add", wrong, code=Exit.USAGE)
    guild.says("tenants", "origins", f"not {guild.name}", code=Exit.USAGE)
    many = [word for n in range(100) for word in ("--add", f"https://h{n}.example")]
    guild.says("tenants", "origins", guild.name, *many, code=Exit.WRONG)
    assert len(guild.says("tenants", "origins", guild.name).splitlines()) == 100
    guild.says("tenants", "delete", guild.name, "--yes")
    assert guild.says("tenants", "origins", guild.id) == ""
    guild.says("tenants", "origins", guild.id, "--add", "https://a.example", code=Exit.WRONG)
