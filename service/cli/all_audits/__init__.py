"""`warlog audit --all`: every stored battle, on all cores, judged or decided under another version.

How this works. One process lists the encounters, hands them out one at a time and keeps what comes
back; worker processes with a read-only session each judge them. A worker that dies costs the
encounter it had, and is replaced.
"""
