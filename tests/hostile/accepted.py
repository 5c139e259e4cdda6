"""Wrong by the rules, known and accepted: each trial with the reason. One that passes must leave the list."""

from __future__ import annotations

#: The reason for each trial, by its name. Keep it short: a long list is a list of things to mend.
ACCEPTED: dict[str, str] = {}
