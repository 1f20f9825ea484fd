"""The battle in the hangar: squad-d100."""
