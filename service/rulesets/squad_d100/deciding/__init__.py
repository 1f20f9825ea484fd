"""How each action is decided, step by step."""
