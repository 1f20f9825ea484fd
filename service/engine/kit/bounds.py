"""The bounds of a number, read from where its field declares them."""

from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from service.errors import Malformed


class NumberBounds(NamedTuple):
    """The least and the greatest value of a whole number, both allowed."""

    least: int
    most: int


@cache
def number_bounds(kind: type[Struct], field: str) -> NumberBounds:
    """The bounds of a field; of a flag 0 and 1.

    Raises TypeError for a field without bounds.
    """
    hint = get_type_hints(kind, include_extras=True)[field]
    if get_args(hint)[0] is bool:
        return NumberBounds(0, 1)
    least = [meta.ge for meta in _metas(hint) if meta.ge is not None]
    most = [meta.le for meta in _metas(hint) if meta.le is not None]
    if not (least and most):
        raise TypeError(f"{kind.__name__}.{field} is not bounded on both sides")
    return NumberBounds(int(least[0]), int(most[0]))


def require_within(value: int, bounds: NumberBounds, path: str) -> None:
    """A number that a request states at `path` is within the bounds. Raises Malformed."""
    if not bounds.least <= value <= bounds.most:
        raise Malformed(path=path, allowed=f"{bounds.least} to {bounds.most}")


def _metas(hint: Any) -> list[Meta]:
    """The constraints of an annotation, outermost first; those inside an array are left out."""
    if get_origin(hint) is tuple:
        return []
    own = [each for each in get_args(hint)[1:] if isinstance(each, Meta)]
    inner = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return [*own, *(meta for each in inner for meta in _metas(each))]
