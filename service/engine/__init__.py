"""What every ruleset shares: pure, deterministic, integers only."""
