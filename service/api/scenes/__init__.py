"""Scenes as pictures: SVG for browsers, characters for terminals and chats."""
