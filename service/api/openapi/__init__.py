"""The published contract, built from the types that read and write the bytes themselves."""
