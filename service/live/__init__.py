"""Live streams: subscriptions to encounters, catching up, resuming, presence."""
