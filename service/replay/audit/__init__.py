"""The audit: each event decided again and compared with the log."""
