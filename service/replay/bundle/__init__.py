"""Bundles: a battle in a file, with everything that an offline audit needs."""
