"""Runs long work in processes of its own, so that it never slows the one that serves."""
