"""The sample duel: melody-d6."""
