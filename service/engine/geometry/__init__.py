"""Exact geometry in integers: of a square grid, and of a plane without cells.

How this works. On the grid all points are in doubled coordinates: the lattice vertex (X, Y) is
the point (2X, 2Y), the centre of cell (x, y) is (2x + 1, 2y + 1), the centre of a space of size s
is (2x + s, 2y + s). Centres and vertices are therefore whole numbers, and every test compares
products of whole numbers. x grows to the east, y to the south.

    points.py        points, vectors, cross and dot products
    spaces.py        the square of cells a combatant occupies, and the rectangle of a map
    features.py      sets of marked cells and borders, made for fast membership
    sectors.py       the eight sectors round a vertex; pinched vertices
    lines.py         what a line crosses and meets
    corner_lines.py  what a line between two vertices meets, contact and its ends included
    open_lines.py    whether any line between the corners of two spaces is not interrupted
    vertex_board.py  a rectangle of the map as whole numbers, one bit for each place
    sides.py         a segment through opposite sides of a space
    arcs.py          front, rear, left and right of a facing
    distance.py      metrics and path length
    strides.py       what one step of a space enters and passes

Where cells alone stop lines and steps, on a map with an edge:

    cell_board.py    a rectangle of cells of which some are marked
    cell_lines.py    whether a line from cell to cell is clear, corners by a rule
    field_of_view.py all cells to which a line from one cell is clear
    price_field.py   the cheapest ways from all cells to the nearest of several goals

On a plane without cells, whose points are whole numbers of a ruleset's own unit:

    roots.py         square roots that are compared and never taken
    segments.py      distances, ways, how near a point is to a segment
    polygons.py      convex polygons: faults, what is inside, what a segment enters, what is near
    templates.py     discs, beams and cones, and how far they cover a round base
"""
