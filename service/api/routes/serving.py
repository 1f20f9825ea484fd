"""Makes a route of a declared call."""

from litestar.handlers import HTTPRouteHandler

from service.api.calls import Call
from service.api.request import CALL_OPTION, guard


def serving(call: Call) -> HTTPRouteHandler:
    """The decorator of the function that answers this call."""
    return HTTPRouteHandler(
        path=call.path,
        http_method=call.method,
        name=call.id,
        guards=[guard],
        opt={CALL_OPTION: call},
        status_code=call.gives[0].status,
        include_in_schema=False,
    )
