"""`crossfire-d6`: positional fights with pools of six-sided dice."""
