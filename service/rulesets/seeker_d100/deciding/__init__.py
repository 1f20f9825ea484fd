"""The steps of a battle, one module for each part of the desk."""
