"""What an action would do, part by part, and the exact chances of its dice."""
