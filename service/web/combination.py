"""Modules combined into one, so that a page behind a slow network asks once and not for each.

How this works. Every module becomes a function that is called once, behind those that it imports,
and gives back what it exports; imports become constants taken from what those gave. That keeps
each module's names to itself and the order in which modules run. Names are taken when a module
is begun, not when they are used, which is the same where every export is a function, a class or a
constant. What would not stay the same is refused: modules that import one another in a circle,
variables that are exported, a way of writing that is not known here.
"""

import re
from collections.abc import Callable, Mapping
from posixpath import dirname, relpath
from typing import Final

Targets = Callable[[str], str]
"""What a module calls another -> the name of that module's file."""

_BEGIN: Final = r"(?:^|(?<=[;}]))"
_IMPORT: Final = re.compile(
    _BEGIN + r"""import\s*(?P<clause>[\w\s{},*$]+?)\s*from\s*["'](?P<other>[^"']+)["'];?""",
    re.MULTILINE,
)
_EXPORT_LIST: Final = re.compile(
    _BEGIN + r"""export\s*\{(?P<names>[^}]*)\}(?:\s*from\s*["'](?P<other>[^"']+)["'])?;?""",
    re.MULTILINE,
)
_EXPORT_DEFAULT: Final = re.compile(
    _BEGIN + r"export\s+default\s+(?=function\s*\(|\{|\w+;)", re.MULTILINE
)
_EXPORT: Final = re.compile(
    _BEGIN
    + r"export\s+(?P<kept>(?:async\s+)?(?:function\b\s*\*?|class\b|const\b)\s*(?P<name>[\w$]+))",
    re.MULTILINE,
)
_REST: Final = re.compile(_BEGIN + r"\s*(?:import\b(?!\s*[(.])|export\b)", re.MULTILINE)
_LATER: Final = re.compile(r"""\bimport\(["'](?P<other>\.[^"']+)["']\)""")
_OWN_ADDRESS: Final = "import.meta.url"
_DEFAULT: Final = "$default"


class NotCombinable(ValueError):
    """Modules that would not mean the same in one."""


def in_order(entry: str, imports: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    """A module behind all that it imports, in the order in which they run."""
    done: dict[str, None] = {}
    begun: list[str] = []

    def visit(name: str) -> None:
        if name in begun:
            raise NotCombinable(f"a circle of imports: {' > '.join((*begun, name))}")
        if name in done:
            return
        begun.append(name)
        for other in imports(name):
            visit(other)
        done[begun.pop()] = None

    visit(entry)
    return tuple(done)


def combined(name: str, modules: Mapping[str, str], targets: Mapping[str, Targets]) -> str:
    """One module of a name, of modules by name in the order in which they run."""
    numbers = {each: f"$m{number}" for number, each in enumerate(modules)}
    parts = []
    for each, text in modules.items():
        body = _Body(each, numbers, targets[each])
        parts.append(f"const {numbers[each]}=(()=>{{\n{body.of(text, dirname(name))}\n}})();\n")
    return "".join(parts)


class _Body:
    """A module as the body of a function."""

    def __init__(self, name: str, numbers: Mapping[str, str], target: Targets) -> None:
        self._name = name
        self._numbers = numbers
        self._target = target
        self._exports: list[str] = []

    def of(self, text: str, folder: str) -> str:
        """The body; the folder is that of the module which it becomes a part of."""
        text = _IMPORT.sub(self._imported, text)
        text = _EXPORT_LIST.sub(self._listed, text)
        text = _EXPORT_DEFAULT.sub(self._default, text)
        text = _EXPORT.sub(self._exported, text)
        if unknown := _REST.search(text):
            line = text[unknown.start() :].strip().splitlines()[0]
            raise NotCombinable(f"{self._name}: {line[:80]}")
        text = _LATER.sub(lambda found: f'import("{self._seen_from(folder, found)}")', text)
        here = f'new URL("{relpath(self._name, folder)}",import.meta.url).href'
        return f"{text.replace(_OWN_ADDRESS, here)}\nreturn{{{','.join(self._exports)}}};"

    def _imported(self, found: re.Match[str]) -> str:
        other = self._numbers[self._target(found["other"])]
        clause = found["clause"].strip()
        if clause.startswith("*"):
            return f"const {clause.removeprefix('*').strip().removeprefix('as').strip()}={other};"
        first, _, listed = clause.partition("{")
        names = [":".join(pair) for pair in _pairs(listed.rstrip("}"))]
        if only := first.strip(" ,"):
            names.insert(0, f"default:{only}")
        return f"const{{{','.join(names)}}}={other};"

    def _listed(self, found: re.Match[str]) -> str:
        other = found["other"]
        source = "" if other is None else f"{self._numbers[self._target(other)]}."
        self._exports += [f"{pair[-1]}:{source}{pair[0]}" for pair in _pairs(found["names"])]
        return ""

    def _default(self, found: re.Match[str]) -> str:
        self._exports.append(f"default:{_DEFAULT}")
        return f"const {_DEFAULT}="

    def _exported(self, found: re.Match[str]) -> str:
        self._exports.append(found["name"])
        return found["kept"]

    def _seen_from(self, folder: str, found: re.Match[str]) -> str:
        path = relpath(self._target(found["other"]), folder)
        return path if path.startswith(".") else f"./{path}"


def _pairs(listed: str) -> list[list[str]]:
    """`a, b as c` as names, two where there is another one."""
    return [re.split(r"\s+as\s+", each.strip()) for each in listed.split(",") if each.strip()]
