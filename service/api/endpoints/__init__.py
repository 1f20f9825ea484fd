"""The calls of the service, one module per subject: declaration and handler side by side."""
