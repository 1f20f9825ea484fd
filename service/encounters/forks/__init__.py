"""Battles that go on from an event of another one, in a log of their own."""
