"""What an action does, step by step."""
