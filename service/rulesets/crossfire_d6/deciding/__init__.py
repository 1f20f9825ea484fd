"""What each action leads to, one module per kind of deed."""
