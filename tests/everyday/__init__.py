"""Releases as people make them every day, by code that is not unmask's, and exact counting beside them."""
