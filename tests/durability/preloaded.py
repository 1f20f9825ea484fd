"""Everything that an application loads when it is built and begins to serve.

Loaded once where services are forked, so that one that was killed is back at once.
"""

import gc
import importlib

import uvicorn

from service.app import build
from service.settings import from_environment

# What the libraries load only when they are first used.
for _name in ("anyio._backends._asyncio", "encodings.idna", "rich._emoji_codes", "uvloop.loop"):
    importlib.import_module(_name)

uvicorn.Config(build(from_environment({}))).load()

# What is here to stay need not be looked through again in every fork.
gc.collect()
gc.freeze()
