"""A stored or exported log, opened event by event."""
