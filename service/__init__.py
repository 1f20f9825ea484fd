"""Warlog: an event-sourced encounter service for tabletop software."""
