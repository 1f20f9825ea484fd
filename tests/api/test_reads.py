"""Reading the log: pages, lines, long polls, seats; what needs no key."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import httpx
import pytest

from service.api.docs import VECTORS
from service.api.negotiation import LANGUAGES
from service.eventstore.embedded import Dsns
from service.replay.report.verdicts import ReceiptRuling
from service.rulesets import RULESETS
from tests.api.serving import CREATION, SHOT, START, Caller, Served, problem, settings_for
from tests.api.streaming import eventually, is_waited_for

LINES = "application/x-ndjson"


def test_events_come_in_pages_that_continue_each_other(caller: Caller) -> None:
    encounter = caller.started()
    for number in range(5):
        caller.act(encounter, {"type": "note", "text": f"note {number}"})
    seen, after = [], "0"
    while True:
        page = caller.get(f"{encounter}/events?limit=3&after={after}").json()
        if not page["events"]:
            break
        seen += [event["seq"] for event in page["events"]]
        after = page["next"]
        assert (page["head"], after) == (7, f"{seen[-1]}-{page['events'][-1]['hash'][:8]}")
    assert seen == list(range(1, 8))


def test_lines_hold_the_same_events_as_the_page(caller: Caller) -> None:
    encounter = caller.started()
    page = caller.get(f"{encounter}/events")
    lines = caller.get(f"{encounter}/events", accept=LINES)
    assert lines.headers["Content-Type"] == LINES
    assert [json.loads(line) for line in lines.text.splitlines()] == page.json()["events"]
    for name, value in (("Warlog-Next", page.json()["next"]), ("Warlog-Head", "2")):
        assert page.headers[name] == lines.headers[name] == value


def test_one_event_is_that_of_the_page(caller: Caller) -> None:
    encounter = caller.started()
    page = caller.get(f"{encounter}/events").json()
    assert caller.get(f"{encounter}/events/2").json() == page["events"][1]


def test_a_cursor_of_another_history_is_told(caller: Caller) -> None:
    encounter = caller.started()
    for after in ("2-00000000", "9", "9-00000000"):
        answer = caller.get(f"{encounter}/events?after={after}")
        assert (answer.status_code, answer.json()["code"]) == (409, "history_diverged")


def test_a_long_poll_ends_when_something_happens(database: Dsns, caller: Caller) -> None:
    encounter = caller.started()
    # It would last longer than anybody here waits for its answer.
    with (
        Served(settings_for(database, WARLOG_WAIT_SECONDS="300")) as served,
        Caller(served.url, caller.token) as one,
        Caller(served.url, caller.token) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        poll = pool.submit(other.get, f"{encounter}/events?after=2&wait=300")
        eventually(lambda: is_waited_for(served, encounter), "nobody waits")
        assert not poll.done()
        one.act(encounter, {"type": "note", "text": "now"})
        assert [event["seq"] for event in poll.result().json()["events"]] == [3]


def test_a_long_poll_in_vain_ends_in_time_with_an_empty_page(caller: Caller) -> None:
    encounter = caller.started()
    began = time.monotonic()
    page = caller.get(f"{encounter}/events?after=2&wait=1").json()
    assert time.monotonic() - began > 0.9
    assert (page["events"], page["head"]) == ([], 2)
    again = caller.get(f"{encounter}/events?after={page['next']}")
    assert again.json() == page
    assert again.headers["Warlog-Next"] == page["next"] == caller.head(encounter)[0].strip('"')


def test_a_seat_sees_what_it_may_and_has_tags_of_its_own(caller: Caller) -> None:
    hunter, raider = CREATION["setup"]["combatants"]
    hiding = {**CREATION["setup"], "combatants": [hunter, {**raider, "hidden": True}]}
    encounter = caller.create({**CREATION, "setup": hiding})
    caller.act(encounter, START)
    whole = caller.get(encounter)
    with caller.seated("vera") as vera:
        seen = vera.get(encounter)
        assert [each["id"] for each in seen.json()["state"]["combatants"]] == ["hunter"]
        assert len(whole.json()["state"]["combatants"]) == 2
        assert seen.headers["ETag"] == whole.headers["ETag"][:-1] + ';seat=vera"'
        shot = vera.post(f"{encounter}/actions", {"action": SHOT})
        nobody = vera.post(f"{encounter}/actions", {"action": {**SHOT, "target": "nobody"}})
        assert shot.status_code == nobody.status_code == 422
        assert shot.text.replace("raider", "nobody") == nobody.text
        legal = vera.get(f"{encounter}/legal-actions?combatant=hunter&sample=5").text
        assert "raider" not in legal


def test_a_player_acts_through_its_seat(caller: Caller) -> None:
    encounter = caller.started()
    with caller.seated("vera") as vera:
        done = vera.act(encounter, SHOT)
    by = done["events"][0]["event"]["by"]
    assert (by["kind"], by["id"], by["role"]) == ("seat", "vera", "player")


def test_legal_actions_can_be_posted_as_they_come(caller: Caller) -> None:
    encounter = caller.started()
    legal = caller.get(f"{encounter}/legal-actions?combatant=hunter&sample=8").json()
    assert legal["version"] == 2
    assert legal["samples"]
    for action in legal["samples"]:
        preview = caller.post(f"{encounter}/preview", {"action": action})
        assert preview.status_code in {200, 422}
    assert caller.act(encounter, legal["samples"][0])["version"] == 3


def test_a_preview_changes_nothing_and_tells_its_allowance(caller: Caller) -> None:
    encounter = caller.started()
    before = caller.head(encounter)
    answer = caller.post(f"{encounter}/preview", {"action": SHOT})
    body = answer.json()
    assert (answer.status_code, body["legal"], body["version"]) == (200, True, 2)
    assert body["odds"]
    assert int(answer.headers["RateLimit-Remaining"]) < int(answer.headers["RateLimit-Limit"])
    assert caller.head(encounter) == before


@pytest.mark.parametrize("wanted", ["dice", "luck,luck"])
def test_an_audit_includes_nothing_that_there_is_not(caller: Caller, wanted: str) -> None:
    asked = f"{caller.started()}/audit?include={wanted}"
    answers = [caller.get(asked, accept_language=each) for each in ("en", "ru")]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert [answer.json()["detail"] for answer in answers] == [
        f"query.include is '{wanted}' and must be: luck.",
        f"query.include: «{wanted}» — нужно: luck.",
    ]


def test_the_audit_finds_nothing_wrong_and_the_bundle_is_whole(caller: Caller) -> None:
    encounter = caller.started()
    caller.act(encounter, SHOT)
    report = caller.get(f"{encounter}/audit").json()
    assert (report["clean"], report["head"], len(report["verdicts"])) == (True, 3, 3)
    assert "luck" not in report
    lucky = caller.get(f"{encounter}/audit?include=luck").json()
    [seat] = lucky["luck"]["seats"]
    assert (seat["rolls"], seat["left_out"]) == (1, {})
    bundle = caller.get(f"{encounter}/bundle")
    assert bundle.headers["Content-Type"] == LINES
    assert len([json.loads(line) for line in bundle.text.splitlines()]) > 4


@pytest.mark.parametrize(
    "path",
    [
        "/v1/rulesets",
        *(f"/v1/rulesets/{slug}?version={version}" for slug, version in RULESETS),
        *(f"/v1/rulesets/{slug}/schema?version={version}" for slug, version in RULESETS),
        "/health/live",
        "/health/ready",
        "/metrics",
        "/openapi.json",
        "/docs",
        "/docs/reference.css",
        "/docs/reference.js",
        "/docs/search.js",
        "/docs/search.en.json",
        "/docs/licenses.txt",
        "/docs/crossfire-d6.openapi.json",
        "/docs/docs.css",
        "/docs/problems",
        "/docs/streams",
        "/docs/audits",
        "/docs/specification",
        "/docs/bundle-line.schema.json",
        "/docs/forgeries.json",
        "/docs/bundle-gm.ndjson",
        "/docs/hidden",
        "/docs/guides",
        "/docs/guides/idempotency",
        "/.well-known/warlog-keys.json",
    ],
)
def test_what_is_open_needs_no_key(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path)
    assert answer.status_code == 200
    assert httpx.head(served.url + path).headers["Content-Type"] == answer.headers["Content-Type"]
    assert httpx.head(served.url + path).content == b""


def test_readiness_names_the_schema_and_no_warning_for_a_role_of_its_own(served: Served) -> None:
    ready = httpx.get(f"{served.url}/health/ready").json()
    versions = Path(__file__).parents[2] / "migrations" / "versions"
    newest = max(versions.glob("0*.py")).name.partition("_")[0]
    assert (ready["status"], ready["revision"], ready["warnings"]) == ("ready", newest, [])


@pytest.mark.parametrize("path", ["", "/schema"])
def test_a_ruleset_is_told_at_the_version_asked_for_or_the_newest(
    served: Served, path: str
) -> None:
    for slug in {slug for slug, _ in RULESETS}:
        of_slug = [version for name, version in RULESETS if name == slug]
        told = {each: whole(served, f"{slug}{path}?version={each}") for each in of_slug}
        assert {each: answer["version"] for each, answer in told.items()} == {
            each: each for each in of_slug
        }
        assert whole(served, f"{slug}{path}") == told[of_slug[-1]]


def whole(served: Served, path: str) -> dict[str, object]:
    """What is shown of a ruleset."""
    answer: dict[str, object] = httpx.get(f"{served.url}/v1/rulesets/{path}").json()
    return answer


@pytest.mark.parametrize("path", ["", "/schema"])
def test_a_version_that_a_ruleset_does_not_have_is_not_found(served: Served, path: str) -> None:
    versions = [version for slug, version in RULESETS if slug == "crossfire-d6"]
    told = problem(httpx.get(f"{served.url}/v1/rulesets/crossfire-d6{path}?version=99"))
    assert (told["status"], told["code"]) == (404, "unknown_version")
    assert (told["params"], told["allowed"]) == ({"version": "99"}, versions)
    told = problem(httpx.get(f"{served.url}/v1/rulesets/crossfire-d6{path}?version=%C3%A9"))
    assert (told["status"], told["params"]["path"]) == (400, "query.version")


def test_a_ruleset_says_everything_in_both_languages(served: Served) -> None:
    ruleset = httpx.get(f"{served.url}/v1/rulesets/crossfire-d6").json()
    assert ruleset["options"]["pool_floor"] == 1
    assert "ranged_attack" in ruleset["actions"]
    assert "attack_resolved" in ruleset["effects"]
    for said in (*ruleset["rules"], *ruleset["terms"], *ruleset["messages"]):
        assert said["en"]
        assert said["ru"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/encounters", "GET, HEAD, OPTIONS, POST"),
        ("PUT", "/v1/rulesets", "GET, HEAD, OPTIONS"),
        ("GET", "/v1/encounters/01900000-0000-7000-8000-00000000dead/actions", "OPTIONS, POST"),
        ("POST", "/health/live", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_method_that_is_not_there_names_those_that_are(
    served: Served, method: str, path: str, allowed: str
) -> None:
    answer = httpx.request(method, served.url + path, headers={"Accept-Language": "ru"})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == allowed
    assert answer.json()["allowed"] == allowed.split(", ")
    options = httpx.options(served.url + path)
    assert (options.status_code, options.headers["Allow"]) == (204, allowed)


def test_what_is_not_acceptable_names_what_there_is(caller: Caller) -> None:
    encounter = caller.create()
    answer = caller.get(f"{encounter}/events", accept="text/html")
    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")
    assert answer.json()["allowed"] == ["application/json", LINES]


def test_the_documentation_asks_nothing_of_others(served: Served) -> None:
    pages = (
        *("problems", "audits", "specification", "guides", "guides/audit", "hidden"),
        # The origin of an example, which the search has, too.
        "guides/rate-limits-and-cors",
        # The bundles of the reference name addresses; the policy lets them ask for none.
        *("search.js", "search.ru.json", "docs.css", *VECTORS),
    )
    for path in ("/docs", *(f"/docs/{page}" for page in pages)):
        text = httpx.get(served.url + path).text.replace("https://vtt.example", "")
        assert "http://" not in text
        assert "https://" not in text
    policy = httpx.get(f"{served.url}/docs").headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("page", "headings"),
    [
        ("audits", {"en": "What an audit can know", "ru": "Что может знать проверка"}),
        ("hidden", {"en": "What stays hidden", "ru": "Что остаётся скрытым"}),
        (
            "specification",
            {"en": "The specification of the audit", "ru": "Спецификация проверки"},
        ),
    ],
)
def test_a_written_page_says_the_same_in_the_readers_language(
    served: Served, page: str, headings: dict[str, str]
) -> None:
    shapes = []
    for language, heading in headings.items():
        headers = {"Accept-Language": language}
        answer = httpx.get(f"{served.url}/docs/{page}", headers=headers)
        assert f"<h1>{heading}</h1>" in answer.text
        assert f'<html lang="{language}">' in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
        tags = re.findall(r"<(?!code|b>)(\w+)", answer.text)
        shapes.append((tags, sorted(re.findall(r"<code>(.*?)</code>", answer.text, re.DOTALL))))
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_an_audit_says_has_its_place_in_the_documentation(
    served: Served, language: str
) -> None:
    answer = httpx.get(f"{served.url}/docs/audits", headers={"Accept-Language": language})
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    for ruling in get_args(ReceiptRuling):
        assert f"<code>{ruling}</code>" in answer.text
    for code in ("rows_beyond_head", "secret_missing", "header_differs", "log_damaged"):
        assert f"<code>{code}</code>" in answer.text


def test_every_problem_has_its_place_in_the_documentation(served: Served) -> None:
    page = httpx.get(f"{served.url}/docs/problems", headers={"Accept-Language": "ru"})
    assert page.headers["Content-Language"] == "ru"
    for code in ("malformed", "out_of_range", "history_diverged"):
        assert f'id="{code}"' in page.text
