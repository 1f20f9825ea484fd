"""Modules combined into one do what they do by themselves, or are refused."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from service.web.combination import NotCombinable, combined, in_order
from service.web.files import WHOLE, web_files
from tests.clients import tools

MODULES = {
    "a/entry.js": """\
import { log } from "../log.js";
import * as shapes from "./shapes.js";
import square, { area as size } from "./square.js";
import {
  first,
  last,
} from "../again.js";
log(`${square.name} ${size(square.side)} ${first} ${last()} ${Object.keys(shapes)}`);
const later = import("../later.js");
log(new URL("../word", import.meta.url).href.split("/").at(-1));
later.then(async ({ read }) => log(await read()));
""",
    "a/shapes.js": 'import { log } from "../log.js";\nlog("shapes");\nexport class Circle {}\n',
    "a/square.js": """\
import {log as say} from "../log.js";say("square");
export default {
  name: "square", side: 3,
};
export const area = (side) => side ** 2;
""",
    "again.js": 'export { one as first, end as last } from "./packed.js";\n',
    "packed.js": 'const t=1;function n(){return"end"}export{t as one,n as end};',
    "later.js": "export async function read() {\n  return 'later';\n}\n",
    "log.js": "export function log(text) {\n  console.log(text);\n}\n",
}


def imports_of(modules: dict[str, str]) -> Callable[[str], tuple[str, ...]]:
    """What each module imports, by its name."""
    find = re.compile(r"""\bfrom\s*["']([^"']+)["']""")
    return lambda name: tuple(target(name, each) for each in find.findall(modules[name]))


def target(name: str, other: str) -> str:
    """The file that a module calls so: all lie in one folder or in the one below it."""
    return f"a/{other[2:]}" if name.startswith("a/") and other[:2] == "./" else other.lstrip("./")


def whole_of(modules: dict[str, str], entry: str) -> str:
    order = in_order(entry, imports_of(modules))
    targets = {name: partial(target, name) for name in order}
    return combined("b/whole.js", {name: modules[name] for name in order}, targets)


def test_one_module_says_what_several_say(tmp_path: Path) -> None:
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "whole.js").write_text(whole_of(MODULES, "a/entry.js"))
    several = tools.succeeded(tools.NODE, "a/entry.js", cwd=tmp_path)
    assert several.splitlines() == [
        "shapes",
        "square",
        "square 9 1 end Circle",
        "word",
        "later",
    ]
    assert tools.succeeded(tools.NODE, "b/whole.js", cwd=tmp_path) == several


@pytest.mark.parametrize(
    ("modules", "why"),
    [
        (
            {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'},
            "a circle of imports: a.js > b.js > a.js",
        ),
        ({"a.js": "export let count = 0;"}, "a.js: export let count = 0;"),
        ({"a.js": 'const one = 1;\nimport "./b.js";'}, 'a.js: import "./b.js";'),
        (
            {"a.js": "export default function named() {}"},
            "a.js: export default function named() {}",
        ),
    ],
)
def test_what_would_not_stay_the_same_is_refused(modules: dict[str, str], why: str) -> None:
    with pytest.raises(NotCombinable) as refused:
        whole_of(modules, "a.js")
    assert str(refused.value) == why


def imports_in(name: str) -> tuple[str, ...]:
    """What a module of the pages imports."""
    module = web_files().named(name)
    assert module is not None
    return module.imports


def test_a_page_is_one_file_that_imports_no_other() -> None:
    files = web_files()
    for name, entry in WHOLE.items():
        whole = files.named(name)
        assert whole is not None
        assert whole.imports == ()
        assert whole.content.count(b"\nconst $m") == len(in_order(entry, imports_in)) - 1
