"""Subscriptions of logical replication that write into the store.

How this works. Such a database takes writes as any other does. A write of the service there forks a
log that the publisher continues, and the next event from the publisher stops the replication. So
the store is reported, and on demand takes no writes of the service while a subscription is enabled.
"""

from typing import Final

# The tables of the store are those of the role that owns its encounters.
SUBSCRIPTIONS: Final = """
    SELECT DISTINCT s.subname::text FROM pg_subscription s
    JOIN pg_subscription_rel r ON r.srsubid = s.oid
    JOIN pg_class c ON c.oid = r.srrelid
    JOIN pg_class own ON own.oid = to_regclass('public.encounter')
        AND own.relowner = c.relowner AND own.relnamespace = c.relnamespace
    WHERE s.subenabled
    ORDER BY 1
"""
"""Names of the enabled subscriptions of this database that name a table of the store."""

LOOK_SECONDS: Final = 2.0
"""The time between two looks where writes are refused because of a subscription."""
