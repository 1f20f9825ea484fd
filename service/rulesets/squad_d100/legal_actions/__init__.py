"""What a combatant may do now, action by action, as nodes of domains."""
