"""python -m warlog: hands over to the command."""

import sys

from warlog.verifier.command_line import main

sys.exit(main())
