"""The shared vocabulary: actions, effects and the values in them."""
