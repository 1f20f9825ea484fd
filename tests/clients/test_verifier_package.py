"""Both verifiers as commands: exits, reports; that of JavaScript as a package: types, contents."""

import base64
import io
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

import pytest

from tests.clients import tools
from tests.clients.rechained import KEY_ID, PUBLIC_KEY, VECTORS, Line, canonical, rechained
from tests.clients.remade_bundles import event_of
from tests.clients.tools import HERE, NODE, NPM, PROJECT, ran, succeeded, tool
from tests.clients.verifier import BUNDLES, GM, PACKAGE, RED
from tests.soak import with_soak
from warlog.verifier import command_line
from warlog.verifier.meanings import CODES, meaning_of

Done = CompletedProcess[str]


def javascript(*arguments: str | Path) -> Done:
    """The command in a process."""
    return ran(NODE, PACKAGE / "bin" / "warlog-verify.js", *arguments, cwd=PACKAGE)


def python(*arguments: str | Path) -> Done:
    """The command within this process; a test below runs it by itself."""
    argv = ["verify", *map(str, arguments)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = command_line.main(argv)
        except SystemExit as ended:
            code = int(ended.code or 0)
    said = []
    for each in (out, err):
        each.seek(0)
        said.append(each.read())
    return CompletedProcess(argv, code, *said)


COMMANDS: Final = (javascript, python)
PYTHON_ALWAYS: Final = with_soak([python], [javascript])
"""A command that starts Node is tried in the soak; a test below compares what both say."""


@pytest.fixture(scope="module")
def published_keys() -> Iterator[str]:
    """An address that publishes the key of the vectors as the service does."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/keys.json" else 404)
            self.end_headers()
            self.wfile.write(json.dumps(KEY_SET).encode())

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _jwk(public_key: str, kid: str) -> dict[str, str]:
    x = base64.urlsafe_b64encode(bytes.fromhex(public_key)).rstrip(b"=").decode()
    return {"kid": kid, "kty": "OKP", "crv": "Ed25519", "use": "sig", "x": x}


_FIRST: Final = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
KEY_SET: Final = {
    "keys": [
        {**_jwk(_FIRST, "21fe31dfa154a261"), "retired_at": "2026-01-01T00:00:00Z"},
        _jwk(PUBLIC_KEY, KEY_ID),
    ]
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_exit_code_says_what_was_found_and_who_signed(
    tmp_path: Path, published_keys: str, command: Callable[..., Done]
) -> None:
    keys, wrong = tmp_path / "keys.json", tmp_path / "wrong.json"
    keys.write_text(json.dumps(KEY_SET))
    wrong.write_text(json.dumps({"keys": [_jwk(PUBLIC_KEY, "0" * 16)]}))
    kept = tmp_path / "kept.ndjson"
    receipt = json.loads(GM.read_bytes().splitlines()[-1])["receipt"]
    kept.write_text(json.dumps({"type": "heartbeat", "receipt": receipt}) + "\n")
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(RED.read_bytes()[:-10])
    head = f"{receipt['seq']}-{receipt['hash']}"
    exits: dict[tuple[str | Path, ...], int] = {
        (RED, "--public-key", PUBLIC_KEY): 0,
        (RED, "--keys", keys): 0,
        (RED, "--keys", f"{published_keys}/keys.json"): 0,
        (RED, "--keys", keys, "--head", head, "--receipts", kept): 0,
        (RED, "--keys", keys, "--head", f"17-{receipt['hash']}"): 1,
        (RED, "--keys", keys, "--head", f"15-{receipt['hash']}"): 1,
        (RED, "--public-key", _FIRST): 1,
        (cut, "--keys", keys): 1,
        (RED,): 4,
        (RED, "--receipts", kept): 4,
        (): 2,
        (RED, GM): 2,
        (tmp_path,): 2,
        (tmp_path / "nowhere",): 2,
        (RED, "--key", keys): 2,
        (RED, "--keys", kept): 2,
        (RED, "--keys", wrong): 2,
        (RED, "--keys", cut): 2,
        (RED, "--keys", f"{published_keys}/other"): 2,
        (RED, "--public-key", "ab"): 2,
        (RED, "--head", "0-ab"): 2,
        (RED, "--receipts", cut): 2,
        (RED, "--language", "de"): 2,
        ("--help",): 0,
    }
    done = {arguments: command(*arguments) for arguments in exits}
    assert {arguments: each.returncode for arguments, each in done.items()} == exits
    for arguments, each in done.items():
        assert bool(each.stderr) == (exits[arguments] == 2), each.stderr
        assert "    at " not in each.stderr
        assert "Traceback" not in each.stderr


@pytest.mark.parametrize("command", PYTHON_ALWAYS)
def test_the_report_tells_no_more_than_was_done(
    tmp_path: Path, command: Callable[..., Done]
) -> None:
    seeds = bytes(range(32)).hex()

    def keep_seed(lines: list[Line]) -> None:
        lines[0].pop("seed")
        lines[0]["dice"]["fairness"] = "sealed"
        body = event_of(lines, 16)["event"]
        body["effects"].pop()
        body["action"].update(reveal="later")
        assert seeds not in canonical(lines).decode()

    unsown = tmp_path / "unsown.ndjson"
    unsown.write_bytes(rechained(RED.name, keep_seed))
    supplied = BUNDLES / "crossfire-d6-supplied.ndjson"

    def said(*arguments: str | Path) -> list[str]:
        return command(*arguments).stdout.splitlines()

    red = said(RED, "--public-key", PUBLIC_KEY)
    assert red[0] == "clean, as far as can be seen"
    assert red[2] == (
        "dice: 19 of the 19 dice that can be seen here were drawn again from the seed and fit"
    )
    assert red[3:5] == [
        "not checked: parts that are withheld here: 64",
        "not checked: texts that were erased: 1",
    ]
    assert red[5].startswith("not checked: that effects follow from actions")
    assert red[-1].startswith("signed by the key 56475aa75463474c")
    stranger = "clean, as far as can be seen, but signed by nobody who is known here"
    assert said(RED)[0] == stranger
    assert said(GM)[0] == "clean, but signed by nobody who is known here"
    assert said(unsown)[2] == (
        "dice: none of the 19 dice that can be seen here were drawn again: the seed is not revealed"
    )
    assert said(supplied)[2].endswith("are told, and their fairness is not verified")
    assert said(RED, "--public-key", _FIRST)[:3] == [
        "not clean",
        "1 difference:",
        "  seal, key_differs: signed by a key that is not trusted"
        " (it is none of the keys that are trusted)",
    ]
    russian = "чисто, насколько видно, но подписано никем из известных здесь"
    assert said(RED, "--language", "ru")[0] == russian


@pytest.mark.parametrize("command", PYTHON_ALWAYS)
def test_a_seed_that_its_holder_could_choose_is_named(
    tmp_path: Path, command: Callable[..., Done]
) -> None:
    def choose(origin: str, given: int) -> Callable[[list[Line]], None]:
        def change(lines: list[Line]) -> None:
            event_of(lines, 1)["event"]["effects"][0]["seed"] = origin
            for seq in (2, 3)[given:]:
                event_of(lines, seq)["event"]["effects"] = []

        return change

    told = {}
    for origin, given in (("os", 2), ("os", 0), ("given", 2)):
        file = tmp_path / f"{origin}-{given}.ndjson"
        file.write_bytes(rechained(RED.name, choose(origin, given)))
        lines = command(file).stdout.splitlines()
        told[origin, given] = [line for line in lines if line.startswith("grindable")]
    assert told == {
        ("os", 2): [],
        ("os", 0): ["grindable: nobody contributed, so a holder of the seed could have chosen it"],
        ("given", 2): [
            "grindable: the creator gave the seed, so a holder of the seed could have chosen it"
        ],
    }


@pytest.mark.parametrize("command", PYTHON_ALWAYS)
def test_a_type_of_a_newer_service_is_neither_clean_nor_wrong(
    tmp_path: Path, command: Callable[..., Done]
) -> None:
    def renew(lines: list[Line]) -> None:
        event_of(lines, 12)["event"]["effects"].append({"type": "weather_changed"})

    file = tmp_path / "newer.ndjson"
    file.write_bytes(rechained(RED.name, renew))
    done = command(file, "--public-key", PUBLIC_KEY)
    assert done.returncode == 3
    assert done.stdout.splitlines()[:2] == [
        "not everything could be judged",
        "  line 14, event 12, $.effects[3].type, version_unknown: made by a newer service,"
        " or forged (the table of this verifier has number 1)",
    ]


@pytest.mark.parametrize("command", PYTHON_ALWAYS)
def test_a_face_is_named_in_words_and_what_follows_a_broken_line_is_not_judged(
    tmp_path: Path, command: Callable[..., Done]
) -> None:
    def reface(lines: list[Line]) -> None:
        draw = event_of(lines, 12)["event"]["draws"][0]
        draw["face"] = draw["face"] % 6 + 1

    file = tmp_path / "face.ndjson"
    file.write_bytes(rechained(RED.name, reface))
    said = command(file).stdout.splitlines()
    assert said[0] == "not clean"
    assert re.search(r"event 12, .*\(die 1 shows \d, the seed gives \d\)$", said[2])
    assert "not judged: comes after the first difference" not in said
    file.write_bytes(GM.read_bytes()[:9000])
    cut = command(file).stdout.splitlines()
    assert (cut[0], cut[-2]) == ("not clean", "not judged: comes after the first difference")


def test_both_commands_say_the_same(tmp_path: Path) -> None:
    cut, odd = tmp_path / "cut.ndjson", tmp_path / "odd.ndjson"
    cut.write_bytes(RED.read_bytes()[:-10])
    odd.write_bytes(GM.read_bytes().replace(b'"total":', b'"tot\xc3\xa4l":'))
    receipt = json.loads(GM.read_bytes().splitlines()[-1])["receipt"]
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps([{"data": {"receipt": receipt}}, {**receipt, "seq": 9}]))
    for language in ("en", "ru"):
        for file in (GM, RED, cut, odd):
            options = (file, "--language", language, "--receipts", kept)
            one, other = (each(*options) for each in COMMANDS)
            assert (one.stdout, one.returncode) == (other.stdout, other.returncode)
            one, other = (each(*options, "--json") for each in COMMANDS)
            assert json.loads(one.stdout) == json.loads(other.stdout)


def test_python_runs_it_as_a_module(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "warlog", "verify")
    said = ran(*command, "-", "--public-key", PUBLIC_KEY, cwd=tmp_path, stdin=RED.read_text())
    assert (said.returncode, said.stdout.splitlines()[0], said.stderr) == (
        0,
        "clean, as far as can be seen",
        "",
    )
    assert ran(*command, RED, "--language", "de", cwd=tmp_path).returncode == 2


def test_every_word_of_a_report_has_a_meaning_in_both_languages(tmp_path: Path) -> None:
    script = (
        f"import {{ CODES, meaningOf }} from {json.dumps(str(PACKAGE / 'source/meanings.js'))};"
    )
    script += (
        "process.stdout.write(JSON.stringify(CODES.map((code) => [code, meaningOf(code, 'en'),"
    )
    script += " meaningOf(code, 'ru')])))"
    words = json.loads(succeeded(NODE, "--input-type=module", "-e", script, cwd=tmp_path))
    assert words == [[code, meaning_of(code, "en"), meaning_of(code, "ru")] for code in CODES]
    forgeries = json.loads((VECTORS / "forgeries.json").read_text())["forgeries"]
    checks = {each["difference"]["check"] for each in forgeries if "difference" in each}
    page = (VECTORS.parent / "specification.html").read_text()
    assert {code for code in checks if f"<code>{code}</code>" not in page} == set()
    verdicts = {each["kept_receipt"] for each in forgeries if "kept_receipt" in each}
    assert all(len({code, english, russian}) == 3 for code, english, russian in words)
    assert (checks - {"rules"} | verdicts) - {code for code, _, _ in words} == set()


@pytest.mark.slow
def test_the_sources_are_typed_and_misuse_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "warlog").symlink_to(PACKAGE)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    sources = str(PACKAGE / "source" / "index.js")
    for name in ("verifier_use.ts", "client_use.ts", "client_types.ts"):
        (tmp_path / name).write_text((HERE / name).read_text().replace("warlog/source", sources))
    project = {
        "extends": str(PACKAGE / "tsconfig.json"),
        "compilerOptions": {"typeRoots": [str(tools.node_modules() / "@types")]},
        "include": [*(str(PACKAGE / name) for name in ("source", "bin", "*.d.ts")), "*.ts"],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    succeeded(*tool("typescript", "bin/tsc"), "-p", tmp_path, cwd=tmp_path)


def test_the_package_holds_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    said = succeeded(NODE, NPM, "pack", "--dry-run", "--json", "--offline", cwd=PACKAGE)
    (packed,) = json.loads(said)
    sources = {f"source/{file.name}" for file in (PACKAGE / "source").iterdir()}
    assert {each["path"] for each in packed["files"]} == sources | {
        "LICENSE",
        "README.md",
        "bin/warlog-verify.js",
        "package.json",
        "verify.d.ts",
        "warlog.d.ts",
    }
    assert (PACKAGE / "LICENSE").read_bytes() == (PROJECT / "LICENSE").read_bytes()
    described = json.loads((PACKAGE / "package.json").read_text())
    assert (described["name"], described["license"]) == ("warlog", "Apache-2.0")
    assert not {"dependencies", "peerDependencies", "scripts"} & described.keys()
