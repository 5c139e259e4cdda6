"""The web app: its guard, its pages, its jobs, and what it must never do."""
