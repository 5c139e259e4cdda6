"""The pages, one file each: what a page shows, and what becomes of its form."""
