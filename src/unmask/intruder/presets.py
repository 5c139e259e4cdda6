"""Presets: intruders in words, for who does not want to begin with a list of attributes.

What a neighbour or a colleague knows is told by the names of attributes, which is a first guess for a person
to correct: nothing in a file says who knows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from unmask.data.column_names import snake_case
from unmask.data.schema import Role, Schema
from unmask.intruder.scenario import Scenario

#: What anybody sees who lives next door.
_SEEN = (
    r"age|agep?|sex|gender|born|birth\w*|dob|year_of_birth|town|city|municipality|region|county|state|area|zip\w*"
    r"|post\w*code|plz|nuts\w*|fips|puma|marital\w*|mar|msp|race\w*|rac\w*|ethnic\w*|nationality|citizen\w*|household\w*"
    r"|hh_?size|hhsize|family\w*|children|kids|npf|noc|dwelling|housing\w*|tenure|rooms|rent\w*|cars?|vehicles?|urban\w*"
    r"|language|height|weight_kg|disab\w*|dear|deye"
)
#: What who works with somebody learns too.
_TOLD = (
    r"edu\w*|school\w*|degree|occupation|occ\w*|job\w*|profession|industry|ind\w*|sector|employ\w*|work\w*|hours\w*"
    r"|wkhp|income|wage\w*|salary|pay|earn\w*|pincp|commut\w*|tenure_years|experience"
)


@dataclass(frozen=True)
class Preset:
    """An intruder in words: ``knows`` is a pattern for names of attributes, None: all quasi-identifiers.

    ``targets`` and ``error`` as in :class:`~unmask.intruder.scenario.Scenario`.
    """

    name: str
    title: str
    sentence: str
    knows: str | None = None
    targets: float | None = None
    error: float = 0.0

    def known(self, schema: Schema) -> tuple[str, ...]:
        """The quasi-identifiers that this intruder is guessed to know; all of them where no name fits."""
        names = schema.names(Role.QUASI_IDENTIFIER)
        if self.knows is None:
            return names
        fitting = re.compile(rf"(?:.*_)?(?:{self.knows})(?:_.*)?")
        return tuple(name for name in names if fitting.fullmatch(snake_case(name))) or names

    def scenario(self, schema: Schema) -> Scenario:
        """The scenario of this intruder before a file.

        >>> from unmask.data.example import SCHEMA
        >>> PRESETS["neighbour"].scenario(SCHEMA).known
        ('region', 'sex', 'age', 'rent')
        """
        known = self.known(schema)
        everything = known == schema.names(Role.QUASI_IDENTIFIER)
        return Scenario(None if everything else known, self.targets, self.error)


#: The presets by name, from the one who knows least to the one who knows all.
PRESETS = {
    one.name: one
    for one in (
        Preset(
            "neighbour",
            "A neighbour",
            "Looks for one person they live next to, and knows exactly what can be seen: age, sex, place, "
            "family, dwelling. Everybody in the file is tried in turn as that person.",
            _SEEN,
        ),
        Preset(
            "colleague",
            "A colleague",
            "Looks for one person they work with: what a neighbour sees, and education, occupation and pay.",
            f"{_SEEN}|{_TOLD}",
        ),
        Preset(
            "company",
            "A company with a customer file",
            "Holds a file of a tenth of these people, with everything but what is confidential, and with "
            "errors: numbers are off by a twentieth of their spread, and one category in twenty is wrong.",
            None,
            0.1,
            0.05,
        ),
        Preset(
            "owner",
            "Somebody with the whole original",
            "Holds everything that is in the original file but what is confidential, of everybody, and "
            "without an error: the strongest assumption, and the usual one.",
        ),
    )
}
