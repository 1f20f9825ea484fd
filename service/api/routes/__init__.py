"""The calls of `calls.CALLS`, one module per subject: thin, no rule is decided here."""
