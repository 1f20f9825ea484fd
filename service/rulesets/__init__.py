"""The rulebooks; pure and independent of one another."""
