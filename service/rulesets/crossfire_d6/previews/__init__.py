"""What each action would do, as far as the caller may know, one module per kind of deed."""
