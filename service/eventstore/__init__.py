"""The event store: append and read encounter logs on PostgreSQL."""
