"""Long work: one job of a kind at a time for each caller, and so many for each tenant."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.encounters.principal import Principal
from service.errors import TooMany

MOST_OF_TENANT: Final = 8
"""Jobs of a kind that callers of one tenant have at a time in a process; service default."""

_RETRY_SECONDS: Final = 5


class JobPlaces:
    """The callers of this process whose job of a kind is under way, by account.

    `code` is what another one is refused with, `tenant_code` one of a tenant that has
    `MOST_OF_TENANT`.
    """

    def __init__(self, code: str, tenant_code: str) -> None:
        self._code = code
        self._tenant_code = tenant_code
        self._taken: set[str] = set()
        self._of_tenant: Counter[str] = Counter()

    @contextmanager
    def place(self, who: Principal) -> Iterator[None]:
        """The caller's one place, while the job lasts. Raises TooMany."""
        account, tenant = who.account, str(who.tenant)
        if account in self._taken:
            raise TooMany(self._code, retry_after=_RETRY_SECONDS)
        if self._of_tenant[tenant] >= MOST_OF_TENANT:
            raise TooMany(self._tenant_code, limit=MOST_OF_TENANT, retry_after=_RETRY_SECONDS)
        self._taken.add(account)
        self._of_tenant[tenant] += 1
        try:
            yield
        finally:
            self._taken.discard(account)
            self._of_tenant[tenant] -= 1
            if not self._of_tenant[tenant]:
                del self._of_tenant[tenant]
