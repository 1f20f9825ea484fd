"""Templates laid on a plane without cells, and how far they cover a round base.

How this works. A beam or a cone begins at a point and lies along the vector d to its aim, which is
seldom of whole length. A base at P is at a/√n along that axis and b/√n across, with n = d·d,
a = (P - O)·d and b = |d x (P - O)|: so every comparison is one of whole numbers with a whole
multiple of √n, which `roots` decides exactly. An upright box round the template, rounded outwards,
is asked first. Touching from inside is full, touching from outside is none.
"""

from math import isqrt
from typing import Literal

from msgspec import Struct

from service.engine.geometry.roots import sign_against_root
from service.engine.geometry.segments import Spot, squared_distance

Coverage = Literal["full", "part", "none"]
"""How much of a base lies under a template."""

Box = tuple[int, int, int, int]
"""West, north, east and south of an upright rectangle."""


class Disc(Struct, frozen=True, kw_only=True):
    """A disc round a point."""

    centre: Spot
    radius: int
    """0 or more."""


class Ray(Struct, frozen=True, kw_only=True):
    """What lies along the way from its origin to its aim; make it with `beam` or `cone`."""

    origin: Spot
    dx: int
    dy: int
    squared: int
    """The square of the length of (dx, dy)."""
    length: int
    half_width: int
    """Half the width of a beam, and of a cone at its far end."""
    box: Box
    """Holds all of it."""


class Beam(Ray, frozen=True, kw_only=True):
    """A rectangle that begins at the middle of one side."""


class Cone(Ray, frozen=True, kw_only=True):
    """An isosceles triangle that begins at its apex."""


PlacedTemplate = Disc | Beam | Cone

_FINE = 1 << 32
"""Parts of a unit in which the corners of a picture are worked out."""


def disc(centre: Spot, radius: int) -> Disc:
    """A disc round a point."""
    return Disc(centre=centre, radius=radius)


def beam(origin: Spot, aim: Spot, length: int, half_width: int) -> Beam:
    """A beam from `origin` towards `aim`, which is another point."""
    dx, dy = aim[0] - origin[0], aim[1] - origin[1]
    near = ((0, half_width), (0, -half_width))
    far = ((length, half_width), (length, -half_width))
    return Beam(
        origin=origin,
        dx=dx,
        dy=dy,
        squared=dx * dx + dy * dy,
        length=length,
        half_width=half_width,
        box=_box(origin, dx, dy, (*near, *far)),
    )


def cone(origin: Spot, aim: Spot, length: int, half_width: int) -> Cone:
    """A cone from `origin` towards `aim`, which is another point."""
    dx, dy = aim[0] - origin[0], aim[1] - origin[1]
    corners = ((0, 0), (length, half_width), (length, -half_width))
    return Cone(
        origin=origin,
        dx=dx,
        dy=dy,
        squared=dx * dx + dy * dy,
        length=length,
        half_width=half_width,
        box=_box(origin, dx, dy, corners),
    )


def coverage(template: PlacedTemplate, spot: Spot, radius: int) -> Coverage:
    """How much of a round base at `spot` a template covers; its radius is above 0."""
    if isinstance(template, Disc):
        return _disc_coverage(template, spot, radius)
    west, north, east, south = template.box
    x, y = spot
    if x <= west - radius or x >= east + radius or y <= north - radius or y >= south + radius:
        return "none"
    off_x, off_y = x - template.origin[0], y - template.origin[1]
    along = off_x * template.dx + off_y * template.dy
    across = abs(template.dx * off_y - template.dy * off_x)
    if isinstance(template, Beam):
        return _beam_coverage(template, along, across, radius)
    return _cone_coverage(template, along, across, radius)


def corners_drawn(template: Ray) -> tuple[Spot, ...]:
    """The corners of a ray in order, rounded to whole units: for pictures, no rule reads them."""
    length, width = template.length, template.half_width
    near = (-width, width) if isinstance(template, Beam) else (0,)
    offsets = (*((0, across) for across in near), (length, width), (length, -width))
    fine = isqrt(template.squared * _FINE * _FINE)
    dx, dy = template.dx * _FINE, template.dy * _FINE
    return tuple(
        (
            template.origin[0] + _rounded(along * dx - across * dy, fine),
            template.origin[1] + _rounded(along * dy + across * dx, fine),
        )
        for along, across in offsets
    )


def _rounded(value: int, over: int) -> int:
    return (2 * value + over) // (2 * over)


def _disc_coverage(template: Disc, spot: Spot, radius: int) -> Coverage:
    apart = squared_distance(template.centre, spot)
    inner, outer = template.radius - radius, template.radius + radius
    if inner >= 0 and apart <= inner * inner:
        return "full"
    return "part" if apart < outer * outer else "none"


def _beam_coverage(template: Beam, a: int, b: int, r: int) -> Coverage:
    """By the side or corner of the rectangle that is nearest."""
    n, length, width = template.squared, template.length, template.half_width
    if (
        sign_against_root(a, r, n) >= 0
        and sign_against_root(a, length - r, n) <= 0
        and sign_against_root(b, width - r, n) <= 0
    ):
        return "full"
    is_before, is_beyond = a < 0, sign_against_root(a, length, n) > 0
    if sign_against_root(b, width, n) > 0:
        if is_before:
            gap = sign_against_root(a * a + b * b + (width * width - r * r) * n, 2 * width * b, n)
        elif is_beyond:
            gap = _corner_gap(template, a, b, r)
        else:
            gap = sign_against_root(b, width + r, n)
    elif is_before:
        gap = sign_against_root(-a, r, n)
    elif is_beyond:
        gap = sign_against_root(a, length + r, n)
    else:
        gap = -1
    return "part" if gap < 0 else "none"


def _cone_coverage(template: Cone, a: int, b: int, r: int) -> Coverage:
    """Inside the triangle, or near its far edge, a slanted one or a corner."""
    n, length, width = template.squared, template.length, template.half_width
    h = length * length + width * width
    inner = width * a - length * b
    if sign_against_root(a, length - r, n) <= 0 and sign_against_root(inner, r, h * n) >= 0:
        return "full"
    is_beyond = sign_against_root(a, length, n) > 0
    if inner >= 0 and not is_beyond:
        return "part"
    if is_beyond and sign_against_root(b, width, n) <= 0:
        return "part" if sign_against_root(a, length + r, n) < 0 else "none"
    return "part" if _slant_gap(template, a, b, r) < 0 else "none"


def _slant_gap(template: Cone, a: int, b: int, r: int) -> int:
    """The sign of the distance to the slanted edge of a cone less `r`."""
    n, length, width = template.squared, template.length, template.half_width
    h = length * length + width * width
    along = length * a + width * b
    if along <= 0:
        return a * a + b * b - r * r * n
    if sign_against_root(along, h, n) >= 0:
        return _corner_gap(template, a, b, r)
    inner = width * a - length * b
    return inner * inner - r * r * h * n


def _corner_gap(template: Ray, a: int, b: int, r: int) -> int:
    """The sign of the distance to the nearer far corner less `r`."""
    n, length, width = template.squared, template.length, template.half_width
    h = length * length + width * width
    return sign_against_root(a * a + b * b + (h - r * r) * n, 2 * (length * a + width * b), n)


def _box(origin: Spot, dx: int, dy: int, corners: tuple[Spot, ...]) -> Box:
    """A box round points given along and across the axis: roots are rounded outwards."""
    root = isqrt(dx * dx + dy * dy)
    columns = [along * dx - across * dy for along, across in corners]
    rows = [along * dy + across * dx for along, across in corners]
    return (
        origin[0] + _outwards(min(columns), root),
        origin[1] + _outwards(min(rows), root),
        origin[0] - _outwards(-max(columns), root),
        origin[1] - _outwards(-max(rows), root),
    )


def _outwards(value: int, root: int) -> int:
    """A whole number not above value/√n, `root` being √n rounded down."""
    return value // root if value < 0 else value // (root + 1)
