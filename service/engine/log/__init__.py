"""The log: canonical bytes, hashes, the event record and its sealed parts."""
