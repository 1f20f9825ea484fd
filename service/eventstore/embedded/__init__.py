"""A private PostgreSQL for people who have none: binaries from a wheel, our own launcher."""

from service.eventstore.embedded.errors import EmbeddedError
from service.eventstore.embedded.provision import Dsns, Roles, provision
from service.eventstore.embedded.server import EmbeddedPostgres

__all__ = ["Dsns", "EmbeddedError", "EmbeddedPostgres", "Roles", "provision"]
