"""Audiences of fields and the projection of a value to a viewer."""
