"""The example bodies of the service's document, by the call that they are sent to."""

from typing import Final

from service.api.routes import CALLS

EXAMPLES: Final = {call.id: call.examples for call in CALLS if call.examples}
