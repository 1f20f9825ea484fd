"""Dice from a sealed seed or from the table, and the names of their draws."""
