"""The toll bridge at night, a battle of `tactical-d20`."""
