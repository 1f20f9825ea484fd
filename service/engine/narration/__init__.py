"""Tells an event in words, from nothing but what its reader was told of it."""
