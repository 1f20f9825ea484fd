"""Small wrong changes to a source file, one at a time.

How this works. The syntax tree says where something can be changed; the change itself replaces
that stretch of the text, so that all else stays as it was written. Docstrings, annotations, type
aliases and what makes a Struct frozen are left alone: no test could tell. Nothing is changed in
two ways that mean the same: `not (x is None)` beside `x is not None`.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_COMPARED: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_COMPUTED: Final[dict[type[ast.operator], str]] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
}
_OPPOSITES: Final = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
"""Comparisons that are negated by changing them."""
_AROUND: Final = re.compile(r"^([\s)]*)[^\s()].*?([\s(]*)$", re.DOTALL)
"""What stands around an operator: space and parentheses of its operands."""
_NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutation:
    """The bytes from `start` to `end` of a file replaced by `text`; `line` counts from 1."""

    line: int
    start: int
    end: int
    text: str
    what: str

    def of(self, source: bytes) -> bytes:
        """The file with this change."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutations_of(source: bytes) -> tuple[Mutation, ...]:
    """Every change that this module knows, in the order of the text."""
    tree = ast.parse(source)
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = {
        _placed(starts, source, *change)
        for node in _told_by_tests(tree)
        for change in _changes(node, source)
    }
    return tuple(sorted(found, key=lambda each: (each.start, each.end, each.text)))


_Change = tuple[int, int, int, int, str]
"""First line and column, last line and column, and the text instead."""


def _placed(
    starts: list[int], source: bytes, line: int, column: int, last: int, end: int, text: str
) -> Mutation:
    start, stop = starts[line - 1] + column, starts[last - 1] + end
    was, now = (" ".join(each.split()) for each in (source[start:stop].decode(), text or "gone"))
    return Mutation(line=line, start=start, end=stop, text=text, what=f"{was} -> {now}")


def _told_by_tests(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes inside, without annotations, aliases of types and docstrings."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "type_params", "decorator_list", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_silent(child):
                yield child
                yield from _told_by_tests(child)


def _is_silent(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case ast.Assign(
            value=ast.Subscript(value=ast.Name(id="Annotated" | "Literal" | "Callable"))
        ):
            return True
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.keyword(arg="frozen" | "kw_only", value=ast.Constant()):
            return True
        case _:
            return False


def _changes(node: ast.AST, source: bytes) -> Iterator[_Change]:
    yield from _operators(node, source)
    yield from _values(node)
    yield from _steps(node, source)


def _operators(node: ast.AST, source: bytes) -> Iterator[_Change]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield _between(left, right, _COMPARED[type(operator)], source)
        case ast.BinOp(left=left, op=operator, right=right):
            if type(operator) in _COMPUTED and not _is_text(left) and not _is_text(right):
                yield _between(left, right, _COMPUTED[type(operator)], source)
        case ast.BoolOp(op=operator, values=[first, second, *_]):
            yield _between(first, second, "or" if isinstance(operator, ast.And) else "and", source)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _all_of(node, f"({_text(operand, source)})")
        case _:
            pass


def _values(node: ast.AST) -> Iterator[_Change]:
    match node:
        case ast.Constant(value=bool(value)):
            yield _all_of(node, str(not value))
        case ast.Constant(value=int(value)):
            yield _all_of(node, str(value + 1))
        case ast.Name(id=name) if name in _NAMES:
            yield _all_of(node, _NAMES[name])
        case _:
            pass


def _steps(node: ast.AST, source: bytes) -> Iterator[_Change]:
    match node:
        case ast.Expr(value=ast.Call()):
            yield _all_of(node, "pass")
        case ast.Call(keywords=keywords):
            yield from _without_each(node, keywords, source)
        case ast.IfExp(test=test) | ast.If(test=test) if not _is_negated_otherwise(test):
            yield _all_of(test, f"not ({_text(test, source)})")
        case _:
            pass


def _without_each(call: ast.Call, keywords: list[ast.keyword], source: bytes) -> Iterator[_Change]:
    """`replace(x, a=0)` without what it replaces; other calls need all their arguments."""
    if getattr(call.func, "id", getattr(call.func, "attr", "")) != "replace":
        return
    before: ast.expr | ast.keyword = call.args[-1] if call.args else call.func
    for keyword in keywords:
        yield *_end(before), *_end(keyword), ""
        before = keyword


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_negated_otherwise(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[operator]):
            return isinstance(operator, _OPPOSITES)
        case _:
            return False


def _text(node: ast.expr, source: bytes) -> str:
    return ast.get_source_segment(source.decode(), node) or ""


def _between(left: ast.expr, right: ast.expr, operator: str, source: bytes) -> _Change:
    """Another operator between two operands, whose parentheses stay."""
    lines = source.splitlines(keepends=True)
    (line, column), last, end = _end(left), right.lineno, right.col_offset
    between = b"".join(lines[line - 1 : last])[column : -len(lines[last - 1][end:]) or None]
    before, after = _AROUND.findall(between.decode())[0]
    return line, column, last, end, f"{before}{operator}{after}"


def _all_of(node: ast.expr | ast.stmt, text: str) -> _Change:
    return node.lineno, node.col_offset, *_end(node), text


def _end(node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
    last, end = node.end_lineno, node.end_col_offset
    assert last is not None
    assert end is not None
    return last, end
