"""The write path and the reads: load, decide, append, publish; who may do and see what."""
