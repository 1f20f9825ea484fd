"""What an action may come to, in exact chances, on what the asker may know; nothing is drawn."""
