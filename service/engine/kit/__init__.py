"""The kit: what rulesets share in meaning, as plain functions."""
