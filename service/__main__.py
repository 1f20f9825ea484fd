"""`python -m service` is `warlog`."""

from service.cli import main

main()
