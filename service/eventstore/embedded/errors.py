"""What can go wrong while starting the private server."""


class EmbeddedError(Exception):
    """The private PostgreSQL cannot be started; the message says what to do about it."""
