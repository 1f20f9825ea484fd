"""What-if at scale: a battle played to its end many times, in memory alone."""
