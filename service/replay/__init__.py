"""Replay: read a log, decide it again, compare, and say where it first differs; bundles."""
