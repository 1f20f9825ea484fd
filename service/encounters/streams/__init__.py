"""Live streams: who follows an encounter in this process, and what they hear of it."""
