"""Calls that are made beside each other."""
