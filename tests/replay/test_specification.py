"""The page, its test vectors and the code say the same.

How this works. Examples on the page are names with values; they are computed again by the
service's own code and by what was written from the page alone (`plain_parts`, `plain_effects`,
`plain_verifier`). Python on the page is run.
"""

import copy
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.api import docs
from service.api.negotiation import LANGUAGES
from service.encounters.receipts import is_genuine, kid_of
from service.encounters.responses import Receipt
from service.engine import hashing
from service.engine.dice.dice import DiceStream
from service.engine.log import canonical, parts
from service.engine.log import event as events
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.audit import invariants
from service.replay.bundle import format as lines
from tests.engine import plain_dice, plain_texts
from tests.replay import (
    audit_vectors,
    plain_effects,
    plain_invariants,
    plain_parts,
    plain_verifier,
)
from tests.replay.golden import FOLDER as GOLDEN
from warlog.verifier import invariants as client_invariants

VECTORS = audit_vectors.FOLDER
SCHEMA: dict[str, Any] = json.loads((VECTORS.parent / "bundle-line.schema.json").read_bytes())
PAGES = {"en": "specification.html", "ru": "specification.ru.html"}
BUNDLES = [*sorted(GOLDEN.glob("*.ndjson")), *sorted(VECTORS.glob("*.ndjson"))]
FORGED = json.loads((VECTORS / "forgeries.json").read_bytes())
Example = list[tuple[str, str]]


def vector(name: str) -> Any:
    return json.loads((VECTORS / name).read_bytes())


def page(language: str) -> str:
    return (VECTORS.parent / PAGES[language]).read_text("utf-8")


def blocks(kind: str, language: str = "en") -> dict[str, str]:
    """The text of the examples, or of the code, of a page."""
    found = re.findall(
        rf'<pre class="{kind}" id="{kind}-([a-z]+)">\n(.*?)</pre>', page(language), re.DOTALL
    )
    return {name: unescape(text) for name, text in found}


def example(name: str) -> Example:
    """An example as names with values."""
    rows = (re.split(r" {2,}", row, maxsplit=1) for row in blocks("example")[name].splitlines())
    return [(row[0], row[1]) for row in rows]


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_every_vector_is_published_and_on_the_page() -> None:
    assert sorted(docs.VECTORS) == sorted(path.name for path in VECTORS.iterdir())
    for language in LANGUAGES:
        for name in (*docs.VECTORS, "bundle-line.schema.json"):
            assert f'<a href="/docs/{name}">{name}</a>' in page(language)
    for name in docs.VECTORS:
        answer = docs.asset_named(name, "en")
        assert answer is not None
        assert answer.content == (VECTORS / name).read_bytes()


def test_the_page_lists_the_places_that_may_tell_faces_again() -> None:
    rows = [row for each in vector("places.json")["rulesets"] for row in retold_cells(each)]
    for language in LANGUAGES:
        listed = page(language).split('<table id="retold-places">')[1].split("</table>")[0]
        assert re.findall(r"<td>(.*?)</td>", listed) == rows


def retold_cells(row: Any) -> list[str]:
    """The cells of a ruleset in the table of the page."""

    def codes(places: list[str]) -> str:
        return "<br>".join(f"<code>{place}</code>" for place in places) or "-"

    rolls = row["rolls"]
    shared = [
        f"<code>{place}</code> ← {', '.join(f'<code>{source}</code>' for source in sources)}"
        for place, sources in rolls["shared"].items()
    ]
    return [
        f"<code>{row['ruleset']}</code> {', '.join(row['versions'])}",
        *(codes(rolls[name]) for name in ("held", "waiting", "questions", "standing")),
        "<br>".join(shared) or "-",
    ]


def test_there_is_a_forgery_for_every_check_of_the_page() -> None:
    told = [f.get("difference", f.get("unknown", {})) for f in FORGED["forgeries"]]
    found = {each.get("check") for each in told}
    section = page("en").split('id="checks"')[1].split("<h2")[0]
    rows = re.findall(r"<tr><td>.*?</td><td>(.*?)</td>", section)
    words = {word for row in rows for word in re.findall(r"<code>(\w+)</code>", row)}
    # A line that is too long is too long for the file of the vectors.
    assert found - {None} == words - {"too_long"}
    assert (
        len({forgery["name"] for forgery in FORGED["forgeries"]}) == len(FORGED["forgeries"]) > 40
    )


def test_the_page_is_the_same_in_both_languages() -> None:
    for kind in ("example", "code"):
        assert blocks(kind, "ru") == blocks(kind, "en")


def test_the_page_names_every_label_there_is() -> None:
    source = Path(hashing.__file__).read_text("utf-8")
    labels = set(re.findall(r'b"(warlog/[a-z0-9/-]+)\\x00"', source))
    assert len(labels) > 8
    for language in LANGUAGES:
        assert set(re.findall(r'"(warlog/[a-z0-9/-]+)\\0"', page(language))) == labels


def test_the_example_of_canonical_json() -> None:
    told = dict(example("canonical"))
    assert told["text"] in [each["text"] for each in vector("canonical.json")]
    text = told["text"].encode()
    assert plain_texts.canonical(json.loads(text)).encode() == text
    assert canonical.encode(json.loads(text)) == text
    assert sha256(bytes.fromhex(told["before"]) + text).hexdigest() == told["hash"]
    assert hashing.event_hash(text) == told["hash"]


@pytest.mark.parametrize("number", ["1.0", "-0", "1e2", "01"])
def test_a_number_that_another_writing_would_mend_is_not_canonical(number: str) -> None:
    line = lines_of(VECTORS / "bundle-gm.ndjson")[2].replace(b'"base":0,', b'"base":%s,')
    assert b"%s" in line
    with pytest.raises(plain_verifier.Damaged) as damaged:
        plain_verifier.parsed(line.replace(b"%s", number.encode()))
    assert str(damaged.value) == ("unreadable" if number == "01" else "not_canonical")


def test_the_example_of_a_part_and_the_vector_of_an_event() -> None:
    told, event = dict(example("part")), vector("event.json")
    body = event["body"].encode()
    first = event["parts"][0]
    assert (first["salt"], first["body"], event["commits"][0]) == (
        told["salt"],
        told["part"],
        told["commit"],
    )
    before = bytes.fromhex(told["before"])
    commits = []
    for part in event["parts"]:
        opening = bytes.fromhex(part["salt"]) + part["body"].encode()
        commits.append(sha256(before + opening).digest())
        salt, content = bytes.fromhex(part["salt"]), part["body"].encode()
        assert hashing.part_commit(salt, content) == commits[-1]
    assert [commit.hex() for commit in commits] == event["commits"]
    sealed = sha256(b"".join(commits)).hexdigest()
    assert (
        told["sealed"] == sealed == json.loads(body)["sealed"] == hashing.sealed(b"".join(commits))
    )
    assert told["hash"] == event["hash"] == plain_texts.event_hash(body) == hashing.event_hash(body)


def test_salts_that_are_derived_are_those_of_the_page() -> None:
    event = vector("event.json")
    body, key = json.loads(event["body"]), bytes.fromhex(event["seal_key"])
    for part in event["parts"]:
        name = part["audience"] if part["kind"] == "facts" else f"text/{part['audience']}"
        message = f"warlog/salt/1\0{body['encounter']}\0{body['seq']}\0{name}".encode()
        assert plain_dice.hmac_sha256(key, message)[:16].hex() == part["salt"]


def test_the_example_of_the_names_of_parts() -> None:
    names = dict(example("names"))["names"]
    assert names == " ".join("/".join(name) for name in parts.part_names(("red", "blue")))
    assert names == " ".join("/".join(n) for n in plain_parts.part_names(["red", "blue"]))


def test_the_example_of_grants() -> None:
    told = dict(example("grants"))
    tree = {"kind": "sides", "grants": json.loads(told["grants"])}
    viewer = msgspec.convert(tree, lines.BundleViewer)
    for seq in (4, 5):
        listed = lines.parts_for(viewer.at(seq), ("red", "blue"))
        assert told[f"event-{seq}"] == " ".join("/".join(name) for name in listed)
        assert list(listed) == plain_parts.readable(tree, seq, ["red", "blue"])


def ran(*names: str, **known: Any) -> dict[str, Any]:
    """The Python of the page, run."""
    for name in names:
        exec(blocks("code")[name], known)
    return known


def views() -> Iterator[tuple[bytes, dict[tuple[str, str], bytes], list[str], dict[str, str]]]:
    """Bodies with their parts, sides and views: the example, the vectors, the whole bundles."""
    told = dict(example("views"))
    names = [name for name in told if "/" in name]
    shown = {name: text for name, text in told.items() if name not in (*names, "body")}
    opened = {(name.split("/")[0], name.split("/")[1]): told[name].encode() for name in names}
    yield told["body"].encode(), opened, ["red", "blue"], shown
    for each in vector("views.json"):
        opened = {(p["kind"], p["audience"]): p["body"].encode() for p in each["parts"]}
        yield each["body"].encode(), opened, each["sides"], each["views"]


@pytest.mark.parametrize(("body", "opened", "sides", "shown"), list(views()))
def test_views_are_those_of_the_vectors(
    body: bytes, opened: dict[tuple[str, str], bytes], sides: list[str], shown: dict[str, str]
) -> None:
    code = ran("view", "whole", copy=copy)
    tree = json.loads(body)
    read = {name: json.loads(part) for name, part in opened.items()}
    viewers = {"everyone": Viewer(), "gm": GAME_MASTER}
    viewers |= {side: Viewer(sides=(side,)) for side in sides}
    assert shown.keys() == viewers.keys()
    for name, text in shown.items():
        ours = events.view_of_event(body, opened, tuple(sides), viewers[name])
        if name == "gm":
            plain = plain_parts.whole(tree, read, sides)
            theirs = code["whole"](tree, read, sides)
        else:
            plain = plain_parts.view(tree, read, name)
            theirs = code["view"](tree, read, name)
        assert ours.decode() == text
        assert plain_texts.canonical(plain) == text
        assert plain_texts.canonical(theirs) == text


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_every_event_of_a_whole_bundle_is_put_together_as_the_page_says(path: Path) -> None:
    trees = [json.loads(line) for line in lines_of(path)]
    if trees[0]["viewer"]["kind"] != "gm":
        return
    code = ran("view", "whole", copy=copy)
    sides: list[str] = []
    for line in (tree for tree in trees if tree["type"] == "event"):
        body = line["event"]
        created = body["effects"][0] if body["seq"] == 1 else {}
        sides = sides or [side["id"] for side in created["sides"]]
        held = {(p["kind"], p["audience"]): p["body"] for p in line["parts"] if "body" in p}
        filled = {name: canonical.encode(part) for name, part in held.items()}
        ours = events.view_of_event(canonical.encode(body), filled, tuple(sides), GAME_MASTER)
        assert canonical.encode(plain_parts.whole(body, held, sides)) == ours
        assert canonical.encode(code["whole"](body, held, sides)) == ours


def test_the_examples_of_the_seed_and_a_block() -> None:
    rows, dice = example("seed"), vector("dice.json")
    told = dict(rows)
    seed, encounter = bytes.fromhex(told["seed"]), told["encounter"]
    given = [bytes.fromhex(value) for name, value in rows if name == "contribution"]
    assert (told["seed"], encounter, told["key"]) == (
        dice["seed"],
        dice["encounter"],
        dice["dice_key"],
    )
    assert [value.hex() for value in given] == dice["contributions"]
    assert hashing.commitment(seed) == told["commitment"] == dice["commitment"]
    entropy = hashing.entropy(tuple(given))
    assert entropy == sha256(b"".join(given)).digest() == bytes.fromhex(told["entropy"])
    key = plain_dice.hmac_sha256(seed, bytes.fromhex(told["key-message"]))
    assert key.hex() == told["key"] == plain_dice.dice_key(seed, encounter, given).hex()
    assert hashing.dice_key(seed, encounter, entropy) == key
    alone = plain_dice.dice_key(seed, encounter, [])
    assert hashing.dice_key(seed, encounter, hashing.entropy(())) == alone
    assert told["key-alone"] == alone.hex() == dice["dice_key_without_contributions"]
    block = dict(example("block"))
    made = plain_dice.hmac_sha256(key, bytes.fromhex(block["block-message"]))
    assert made.hex() == block["block"] == dice["first_block_of_event_3_stream_0"]
    assert hashing.stream_block(key, int(block["seq"]), int(block["stream"]), 0) == made


def test_the_example_of_dice_and_the_code_beside_it() -> None:
    told = dict(example("dice"))
    key = bytes.fromhex(vector("dice.json")["dice_key"])
    face = ran("face")["face"]

    def shown(seq: int, sides: int, count: int) -> str:
        tape = plain_effects.tape(key, seq, 0)
        faces = [face(lambda k: bytes(next(tape) for _ in range(k)), sides) for _ in range(count)]
        assert faces == list(DiceStream(key, seq, 0).faces(count, sides))
        assert faces == plain_dice.faces(key, seq, 0, [sides] * count)[0]
        return " ".join(map(str, faces))

    for sides in (6, 100, 1000):
        assert shown(3, sides, 8) == told[f"d{sides}"]
    assert shown(6, 100, 3) == told["d100-of-6"]
    assert hashing.stream_block(key, 6, 0, 0).hex().startswith(told["event-6"])


def test_the_example_of_a_roll() -> None:
    told = {name: json.loads(text) for name, text in example("roll")}
    for name, wrong in (("fits", None), ("wrong", "$.effects[0].total")):
        event = {"seq": 9, "draws": told["draws"], "effects": [told[name]]}
        assert plain_effects.first_wrong_roll(event, {}, "$") == wrong


def test_who_rolls_is_what_the_page_says() -> None:
    told = sorted((kind, *row.split(": ")) for kind, row in example("rollers"))

    def dotted(way: str | tuple[str, ...]) -> str:
        return way if isinstance(way, str) else ".".join(way)

    def rows(table: Any) -> list[tuple[str, ...]]:
        return sorted(
            (kind, *(f"{within}.*.{dotted(way)}" if within else dotted(way) for way in (roll, who)))
            for kind, listed in table.items()
            for roll, who, within in listed
        )

    assert rows(invariants._ROLLERS) == told
    assert rows(client_invariants._ROLLERS) == told
    assert rows(plain_invariants.ROLLERS) == told


def test_the_examples_of_receipts_and_their_vectors() -> None:
    told, receipts = dict(example("receipt")), vector("receipts.json")
    public = bytes.fromhex(told["public-key"])
    assert told["kid"] == sha256(public).hexdigest()[:16] == kid_of(public) == receipts["kid"]
    assert receipts["public_key"] == told["public-key"]
    alone = receipts["alone"]
    assert (told["head"], told["signed"], told["sig"]) == (
        alone["head"],
        alone["signed"],
        alone["receipt"]["sig"],
    )
    together, last = receipts["together"], receipts["together"]["receipts"][2]
    assert dict(example("together")) == {
        "head": together["heads"][2],
        "leaf": together["leaves"][2],
        "path": last["path"][0],
        "signed": together["signed"],
        "sig": last["sig"],
    }
    for receipt in (alone["receipt"], *together["receipts"]):
        assert plain_verifier.is_signed(receipt, public)
        assert is_genuine(msgspec.convert(receipt, Receipt), public)
        assert not plain_verifier.is_signed({**receipt, "seq": 99}, public)
