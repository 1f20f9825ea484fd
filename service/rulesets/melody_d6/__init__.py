"""`melody-d6`: a skirmish of miniatures with music magic, on a table without cells."""
