"""A service in this process, for what has to be there before a hostile client comes."""

from tests.api.conftest import caller, served, store, tenant

__all__ = ["caller", "served", "store", "tenant"]
