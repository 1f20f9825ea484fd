"""What refers to what inside one ruleset, read from its source.

How this works. Every function, class and name that a module of the ruleset defines at its top is a
node. An edge leads from a node to each node that its body, its decorators or its defaults name:
called, handed on or put into a table. Names come from the module itself or through an import from
another module of the ruleset; what leaves the ruleset is not followed, and neither are annotations,
since a type is not called. A reference counts whether or not the line is ever run.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.house.tree import ROOT, parsed

Node = tuple[str, str]
"""A module by its dotted name, and a name that it defines."""


@dataclass(frozen=True, slots=True)
class CallGraph:
    """The nodes of a ruleset with what defines them, and the nodes that each refers to."""

    definitions: dict[Node, list[ast.stmt]]
    references: dict[Node, frozenset[Node]]

    def reached_from(self, roots: Iterable[Node]) -> frozenset[Node]:
        """The nodes that these lead to, themselves included."""
        reached: set[Node] = set()
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached.add(node)
                waiting += self.references[node]
        return frozenset(reached)


def call_graph(paths: Iterable[Path]) -> CallGraph:
    """The graph of the modules of a ruleset."""
    modules = {_dotted(path): parsed(path) for path in paths}
    definitions = _definitions(modules)
    imports = {module: dict(_imports(tree, modules)) for module, tree in modules.items()}

    def resolved(module: str, name: str) -> Node | None:
        while (module, name) not in definitions:
            if module not in modules or name not in imports[module]:
                return None
            module, name = imports[module][name]
        return module, name

    def named(module: str, node: ast.AST) -> Node | None:
        match node:
            case ast.Name(id=name):
                return resolved(module, name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                owner = ".".join(imports[module].get(name, ("", "")))
                return resolved(owner, attribute) if owner in modules else None
            case _:
                return None

    references = {
        (module, name): frozenset(
            node
            for statement in statements
            for part in _run(statement)
            for inner in ast.walk(part)
            if (node := named(module, inner)) is not None
        )
        for (module, name), statements in definitions.items()
    }
    return CallGraph(definitions=definitions, references=references)


def _dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _definitions(modules: dict[str, ast.Module]) -> dict[Node, list[ast.stmt]]:
    definitions: dict[Node, list[ast.stmt]] = {}
    for module, tree in modules.items():
        for statement in tree.body:
            for name in _defined(statement):
                definitions.setdefault((module, name), []).append(statement)
    return definitions


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        case _:
            pass


def _imports(
    tree: ast.Module, modules: dict[str, ast.Module]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names a module imports from its ruleset, with where they are from."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module in modules:
            for alias in statement.names:
                yield alias.asname or alias.name, (statement.module, alias.name)


def _run(statement: ast.stmt) -> Iterator[ast.AST]:
    """What of a definition is more than a type."""
    match statement:
        case ast.FunctionDef(args=arguments):
            yield from statement.body
            yield from statement.decorator_list
            yield from arguments.defaults
            yield from (default for default in arguments.kw_defaults if default is not None)
        case ast.AnnAssign(value=value):
            yield from () if value is None else (value,)
        case _:
            yield statement
