"""An everyday release of invented people: bands, merged towns, rounded incomes, hidden sexes."""

from __future__ import annotations

import random

from tests.cli.console import SECRET_TEXT, people

ORIGINAL = [
    row | {"age": int(float(str(row["age"]))), "income": int(float(str(row["income"])))}
    for row in people(120)
]


def banded(age: object) -> str:
    low = int(str(age)) // 10 * 10
    return f"{low}-{low + 9}"


def released_person(place: int, person: dict[str, object]) -> dict[str, object]:
    merged = f"{SECRET_TEXT}north" if str(person["town"])[-1] in "01" else person["town"]
    return person | {
        "age": banded(person["age"]),
        "income": round(int(str(person["income"])), -2),
        "sex": "*" if place % 10 == 0 else person["sex"],
        "town": merged,
    }


RELEASED = [released_person(place, person) for place, person in enumerate(ORIGINAL)]
SHUFFLED = random.Random(1).sample(RELEASED, len(RELEASED))
