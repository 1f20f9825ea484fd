"""The rulebook of `squad-d100`, one module per chapter."""
