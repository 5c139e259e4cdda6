"""Several sources of knowledge, several releases: hand-worked cases, what is refused, what nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Masked, Microdata, Missing, Role, Scenario, Schema
from unmask.about import About
from unmask.assessment.asked import requested
from unmask.assessment.request import Verb
from unmask.assessment.session import Session
from unmask.attacks import DBRL, Attack, Matcher
from unmask.data.example import people
from unmask.documents.sections import ReleasesSection, SourcesSection
from unmask.documents.table import Table
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError, DataError, UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.intruder.sources import Source
from unmask.masks import Noise
from unmask.measures.reidentification import Reidentification, Ties
from unmask.report import comparing
from unmask.report.assessment import sources as report_sources
from unmask.report.comparison import releases as report_releases
from unmask.studies.releases import Comparison, Release, assess_releases, release_rows
from unmask.studies.releases.following import by_confidential, by_key, by_order
from unmask.studies.sources import source_rows

NUMBERS = ("age", "hours", "income", "rent", "commute")
PEOPLE = people(200)
READINGS = [Reidentification(ties) for ties in Ties]
SAME = Masked(PEOPLE, np.arange(200))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def by_source(
    original: Microdata, masked: Masked, scenario: Scenario, attacks: Sequence[Attack | str], seed: int = 0
) -> tuple[Table, SourcesSection]:
    """The rows by source, without the rest of an assessment."""
    asked: Any = {"scenario": scenario, "attacks": attacks, "seed": seed}
    rows, section = source_rows(Session(*requested(Verb.ASSESS, original, masked, asked)))
    return Table(tuple(rows)), section


def by_release(
    original: Microdata, releases: Sequence[Release], attacks: Sequence[Attack], **asked: Any
) -> tuple[Table, ReleasesSection]:
    """The rows by release, this one first, of releases that carry keys of their own."""
    earlier = [release.masked for release in releases[1:]]
    asked |= {"attacks": attacks, "earlier": earlier}
    session = Session(*requested(Verb.COMPARE, original, releases[0].masked, asked))
    rows, section = release_rows(session, releases)
    return Table(tuple(rows)), section


def values(found: Comparison | Table) -> dict[str | None, float | None]:
    """The value of each release; there is one attack and one measure."""
    table = found if isinstance(found, Table) else found.document.table
    return {row.keys.release: row.estimate.number for row in table}


# --- several sources ------------------------------------------------------------------------------------


def test_two_sources_of_everybody_are_one_source_of_all_attributes() -> None:
    parts = Scenario(sources=(Source(("age", "sex")), Source(("income",))))
    whole = Scenario(known=("age", "sex", "income"))
    asked: Any = {"attacks": ["dbrl"], "measures": READINGS}
    risk = [unmask.assess(PEOPLE, Noise(a=0.3), scenario=s, **asked) for s in (parts, whole)]
    found = [one.document.table.where(source=None) for one in risk]
    assert [row.keys for row in found[0]] == [row.keys for row in found[1]]
    assert [row.estimate.value for row in found[0]] == [row.estimate.value for row in found[1]]
    assert [part.name for part in risk[0].document.scenario.attributes] == ["age", "sex", "income"]


def test_the_less_erroneous_source_tells_and_the_other_fills_in() -> None:
    scenario = Scenario(
        sources=(Source(("age", "sex"), targets=100, error=0.5), Source(("age", "income"), targets=120))
    )
    first, second, both = scenario.stage_sources(PEOPLE, SAME, 0)
    assert both[2].tolist() == sorted({*first[2].tolist(), *second[2].tolist()})
    known = both[0].known.frame.with_columns(row=pl.Series(both[2]))
    true = PEOPLE.frame["age"].to_numpy()
    exact = known.filter(pl.col("row").is_in(second[2].tolist()))
    assert exact["age"].to_list() == true[exact["row"].to_numpy()].tolist()
    only = known.filter(~pl.col("row").is_in(second[2].tolist()))
    assert only.height == len(both[2]) - 120 > 0
    assert (only["age"].to_numpy() != true[only["row"].to_numpy()]).all()
    assert only["age"].null_count() == 0
    assert only["income"].null_count() == only.height
    assert known["sex"].null_count() == len(both[2]) - 100


def test_what_no_source_knows_counts_for_no_record_and_against_none() -> None:
    """Of person 2 only the age is known; record 2 lacks its job. Under ``category`` the unknown job would
    equal that missing one, and pull person 2 there although the age is that of record 1."""
    schema = Schema((Column("age", Kind.NOMINAL), Column("job", Kind.NOMINAL)))
    original = Microdata(schema, pl.DataFrame({"age": ["a", "b", "c"], "job": ["x", "y", "z"]}))
    released = Masked(
        Microdata(schema, pl.DataFrame({"age": ["a", "c", "d"], "job": ["x", "y", None]})), np.arange(3)
    )
    sources = (Source(("age",)), Source(("job",), targets=1))
    for missing in Missing:
        scenario = Scenario(sources=sources, missing=missing)
        dossier, truth, targets = scenario.stage(original, released, 0)
        assert dossier.missing is Missing.IGNORE
        links = DBRL().prepare(dossier, rng(), LocalEngine()).links()
        unknown = int(np.flatnonzero((targets == 2) & dossier.known.frame["job"].is_null().to_numpy())[0])
        assert links.belief_in(np.full(3, truth.row[targets == 1][0]))[unknown] == 1


def test_sources_without_gaps_keep_the_policy() -> None:
    scenario = Scenario(sources=(Source(("age",)), Source(("sex",))), missing=Missing.CATEGORY)
    assert scenario.stage(PEOPLE, SAME, 0)[0].missing is Missing.CATEGORY


def test_sources_are_compared_on_the_people_they_share() -> None:
    scenario = Scenario(sources=(Source(("age", "hours"), targets=150), Source(("income",), targets=0.5)))
    masked = Noise(a=0.2).apply(PEOPLE, rng())
    risk = unmask.assess(
        PEOPLE, masked, scenario=scenario, attacks=["guess", "dbrl"], measures=["reidentification"], seed=3
    )
    table, section = risk.document.table.having("source"), risk.document.sources
    value = {(row.keys.source, row.keys.people): row.estimate for row in table.where(attack="dbrl")}
    assert section is not None
    assert section.people == value["combined", "all"].n
    assert section.common == value["combined", "common"].n == value["source 1", "common"].n < 100
    single = [value[f"source {i}", "common"].number or 0 for i in (1, 2)]
    assert (value["combined", "common"].number or 0) > max(single)
    assert risk.worst().keys.attack == "dbrl"
    assert risk.worst().estimate.value == value["combined", "all"].value
    rows, again = by_source(PEOPLE, masked, scenario, ["guess", "dbrl"], seed=3)
    assert [(row.keys, row.estimate.value) for row in rows] == [(r.keys, r.estimate.value) for r in table]
    assert again == section
    told = report_sources.sentences(risk.document)
    assert told[0] == "Source 1 has 2 attributes of 150 people (age, hours), without error."
    assert any("'ignore'" in sentence for sentence in told)
    sides = report_sources.source_sides(risk.document, "common")
    assert comparing.compared_chart(sides, "source")["layer"]


def test_sources_without_common_people_have_no_common_risk() -> None:
    scenario = Scenario(sources=(Source(("age",), targets=1), Source(("sex",), targets=1)))
    table, section = by_source(PEOPLE, SAME, scenario, [DBRL()], seed=1)
    common = table.where(people="common")
    assert {row.estimate.reason for row in common} == {"no person is in every source"}
    assert all(row.estimate.number is None for row in common)
    assert (section.people, section.common) == (2, 0)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"sources": (Source(("age",)),), "known": ("sex",)}, "both sources and known"),
        ({"sources": (Source(("age",)),), "error": 0.1}, "both sources and known"),
        ({"sources": Source(("age",))}, "not a list of Source"),
        ({"sources": ("age",)}, "not a Source"),
    ],
    ids=str,
)
def test_a_scenario_of_sources_checks_itself(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ArgumentError, match=says):
        Scenario(**fields)  # type: ignore[arg-type]


def test_sources_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DataError, match="no column 'agee'"):
        Scenario(sources=(Source(("age",)), Source(("agee",)))).stage(PEOPLE, SAME, 0)
    blocked = Scenario(sources=(Source(("age", "sex")), Source(("income",))), block=("sex",))
    with pytest.raises(ArgumentError, match="blocks on 'sex'"):
        blocked.stage(PEOPLE, SAME, 0)
    with pytest.raises(ArgumentError, match="no two sources"):
        by_source(PEOPLE, SAME, Scenario(sources=(Source(("age",)),)), [DBRL()])


# --- several releases -----------------------------------------------------------------------------------


def file(**columns: list[object]) -> Microdata:
    """Columns whose names begin with c are confidential; text is nominal."""
    return Microdata(
        Schema(
            tuple(
                Column(
                    name,
                    Kind.NOMINAL if any(isinstance(v, str) for v in values) else Kind.NUMERIC,
                    Role.CONFIDENTIAL if name.startswith("c") else Role.QUASI_IDENTIFIER,
                )
                for name, values in columns.items()
            )
        ),
        pl.DataFrame(columns, strict=False),
    )


def masked(data: Microdata, origin: list[int] | None = None) -> Masked:
    return Masked(data, np.arange(len(data)) if origin is None else np.array(origin))


# Four people; each release hides half of who is who, and together they tell all.
FOUR = file(a=["p", "p", "q", "q"], b=["u", "v", "u", "v"], c=[1.0, 2.0, 3.0, 4.0])
ONLY_A, ONLY_B = FOUR.only(["a", "c"]), FOUR.only(["b", "c"])


@pytest.mark.parametrize("follow", ["order", "confidential", "none"])
def test_two_halves_make_a_whole(follow: str) -> None:
    found = assess_releases(FOUR, ONLY_A, [ONLY_B], follow=follow, attacks=["dbrl"])
    assert values(found) == {"this": 0.5, "earlier 1": 0.5, "combined": 1.0}


def test_three_releases_and_a_key() -> None:
    three = file(a=["p", "p", "q", "q"] * 2, b=["u", "v"] * 4, d=["k"] * 4 + ["l"] * 4, c=[*range(8)])
    key = pl.Series("key", [f"n{i}" for i in range(8)])
    backwards = np.arange(8)[::-1]
    releases = [
        Release(masked(three.only(["a", "c"])), key),
        Release(Masked(three.only(["b", "c"]).take(backwards), backwards), key[backwards]),
        Release(masked(three.only(["d", "c"])), key),
    ]
    for follow, joined in (("key:key", 8), ("none", None)):
        table, section = by_release(three, releases, [DBRL()], follow=follow)
        assert values(table) == {"this": 1 / 4, "earlier 1": 1 / 4, "earlier 2": 1 / 4, "combined": 1.0}
        assert [(join.joined, join.right) for join in section.earlier] == [(joined, joined)] * 2


def test_records_that_are_not_followed_stand_by_what_they_have() -> None:
    key = pl.Series("key", ["w", "x", "y", "z"])
    part = Release(masked(ONLY_B.take(np.array([0, 1])), [0, 1]), key[[0, 1]])
    table, section = by_release(FOUR, [Release(masked(ONLY_A), key), part], [DBRL()], follow="key:key")
    # The p's are followed and told apart. The q's have no b: each is as near to the one q as to the other.
    assert [(release, value) for release, value in values(table).items() if release != "earlier 1"] == [
        ("this", 0.5),
        ("combined", 0.75),
    ]
    assert (section.earlier[0].joined, section.earlier[0].right) == (2, 2)
    assert "'ignore'" in section.notes[0]


def test_confidential_values_join_only_where_they_are_unique_and_may_join_wrongly() -> None:
    this = file(c=[1.0, 2.0, 2.0, 3.0, 4.0, None], cx=["u", "u", "v", None, "w", "u"])
    earlier = file(c=[4.0, 3.0, 2.0, 1.0, 1.0, None], cx=["w", None, "v", "u", "u", "u"])
    names = ["c", "cx"]
    assert by_confidential(this, earlier, names, Missing.MISMATCH).tolist() == [-1, -1, 2, -1, 0, -1]
    assert by_confidential(this, earlier, names, Missing.CATEGORY).tolist() == [-1, -1, 2, 1, 0, 5]
    original = file(a=[1.0, 2.0, 3.0], c=[7.0, 8.0, 9.0])
    swapped = file(a=[1.0, 2.0, 3.0], c=[8.0, 7.0, 9.0])  # the earlier release swapped two of them
    found = assess_releases(
        original, original, [swapped], follow="confidential", known=["a"], attacks=["dbrl"]
    )
    (join,) = found.document.releases.earlier
    assert (join.joined, join.right) == (3, 1)
    told = report_releases.sentences(found.document)
    assert "3 records of this release were followed into the earlier one, 1 of them rightly." in told


def test_without_confidential_attributes_nothing_is_intersected() -> None:
    bare = FOUR.only(["a", "b"])
    for follow in ("none", "confidential"):
        found = assess_releases(bare, bare, [bare], follow=follow, attacks=["guess", "dbrl"])
        combined = [row.estimate for row in found.document.table.where(release="combined")]
        assert [estimate.number for estimate in combined] == [None, None]
        assert "share no confidential attribute" in (combined[0].reason or "")
        assert "not estimable" in report_releases.sentences(found.document)[-1]
        sides = report_releases.release_sides(found.document)
        assert comparing.compared_chart(sides, "release")["layer"]


def test_an_uninformative_release_changes_nothing_in_the_intersection() -> None:
    this = Noise(a=0.4, attributes=NUMBERS).apply(PEOPLE, rng())
    flat = PEOPLE.replace({name: pl.Series(name, [0.0] * 200) for name in NUMBERS})
    found = assess_releases(
        PEOPLE, this, [masked(flat)], known=NUMBERS, attacks=["dbrl", "rbrl-sum", "guess"], measures=READINGS
    )
    for attack in ("dbrl", "rbrl-sum", "guess"):
        for reading in READINGS:
            alone = found.estimate(attack, "this", reading.name).value
            assert found.estimate(attack, "combined", reading.name).value == pytest.approx(alone)


def test_this_release_is_measured_as_in_an_assessment_of_its_own() -> None:
    this, earlier = (Noise(a=0.4).apply(PEOPLE, rng(i)) for i in (1, 2))
    scenario = Scenario(known=NUMBERS, targets=80, error=0.1)
    asked: Any = {"scenario": scenario, "attacks": ["dbrl"], "seed": 4}
    main = unmask.assess(PEOPLE, this, **asked, measures=["reidentification"])
    found = assess_releases(PEOPLE, this, [earlier], **asked, follow="order")
    assert found.estimate("dbrl", "this").value == main.worst().estimate.value
    both = unmask.assess(
        PEOPLE, this, **asked, measures=["reidentification"], earlier=[earlier], follow="order"
    )
    beside = Table(both.document.table.having("release").rows)
    assert {row.keys: row.estimate.value for row in beside} == {
        row.keys: row.estimate.value for row in found.document.table
    }


def test_this_release_is_not_attacked_twice() -> None:
    """An assessment and its comparison with earlier releases share the experiment on this one."""
    this, earlier = (Noise(a=0.4).apply(PEOPLE, rng(i)) for i in (1, 2))
    asked: Any = {"known": NUMBERS, "earlier": [earlier], "follow": "order", "seed": 4}
    attack = Watching()
    risk = unmask.assess(PEOPLE, this, attacks=[attack], measures=["reidentification"], **asked)
    frames = Counter(tuple(dossier.released.frame["income"].to_list()) for dossier in attack.seen)
    # This release, the earlier one, and both together: wide (where this one's numbers stand too), averaged.
    assert len(attack.seen) == 4
    assert len([dossier for dossier in attack.seen if "income (earlier 1)" in dossier.released.schema]) == 1
    assert sorted(frames.values()) == [1, 1, 2]
    alone = risk.document.result("watching")
    again = risk.document.table.find(attack="watching", release="this")
    assert alone is again
    # The usual measures are more than the comparison asks for: it takes its own from among them.
    attack = Watching()
    risk = unmask.assess(PEOPLE, this, attacks=[attack], measures=READINGS, **asked)
    assert len(attack.seen) == 4
    assert risk.document.result("watching") is risk.document.table.find(attack="watching", release="this")


def test_an_attack_that_the_wide_file_does_not_suit_is_not_estimable() -> None:
    found = assess_releases(
        PEOPLE,
        Noise(a=0.4),
        [Noise(a=0.4)],
        follow="order",
        known=["age", "income"],
        attacks=[DBRL((1.0, 2.0))],
    )
    name = DBRL((1.0, 2.0)).name
    assert found.estimate(name, "this").estimable
    assert found.estimate(name, "averaged").estimable
    assert not found.estimate(name, "combined").estimable
    assert all(row.estimate.reason for row in found.document.table.where(release="combined"))


@dataclass(frozen=True)
class Watching:
    """DBRL that keeps what it sees."""

    seen: list[Dossier] = field(default_factory=list)
    name: str = "watching"
    about: About = DBRL.about

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> Matcher:
        self.seen.append(dossier)
        return DBRL().prepare(dossier, rng, engine)


@pytest.mark.parametrize("follow", ["order", "confidential", "none"])
def test_no_attack_sees_the_truth(follow: str) -> None:
    this, earlier = (Noise(a=0.4, attributes=NUMBERS).apply(PEOPLE, rng(i)) for i in (1, 2))
    seen = []
    for shift in (0, 7):  # the same files, whoever their records belong to
        attack = Watching()
        moved = [Release(Masked(one.data, np.roll(one.origin, shift))) for one in (this, earlier)]
        by_release(PEOPLE, moved, [attack], known=NUMBERS, follow=follow, seed=5)
        seen.append(attack.seen)
    assert len(seen[0]) == len(seen[1]) >= 4 - (follow == "confidential")
    for one, other in zip(*seen, strict=True):
        assert one.known.frame.equals(other.known.frame)
        assert one.released.frame.equals(other.released.frame)
        assert not {"person", "household"} & set(one.released.frame.columns)


def test_releases_are_shuffled_alike_only_where_they_are_followed() -> None:
    attack = Watching()
    assess_releases(PEOPLE, PEOPLE, [PEOPLE], follow="order", known=["income", "rent"], attacks=[attack])
    this, earlier, wide, _ = (dossier.released.frame for dossier in attack.seen)
    assert this["income"].to_list() != earlier["income"].to_list()
    assert wide["income"].to_list() == wide["income (earlier 1)"].to_list() == this["income"].to_list()


def test_knowledge_is_drawn_once_for_all_releases() -> None:
    attack = Watching()
    scenario = Scenario(known=("age", "income"), targets=50, error=0.3)
    assess_releases(PEOPLE, PEOPLE, [PEOPLE], follow="order", scenario=scenario, attacks=[attack])
    this, earlier, wide, mean = (dossier.known.frame for dossier in attack.seen)
    assert this.equals(earlier)
    assert this.equals(mean)
    assert wide["income"].to_list() == wide["income (earlier 1)"].to_list() == this["income"].to_list()


@pytest.mark.parametrize("follow", ["order", "key:person", "confidential", "none"])
def test_degenerate_files(follow: str) -> None:
    for n in (1, 2):
        few = people(n)
        found = assess_releases(few, few, [few], follow=follow, attacks=["guess", "dbrl", "rbrl-max"])
        assert all(row.estimate.estimable for row in found.document.table)
    holes = PEOPLE.frame.with_columns(
        age=pl.lit(None, pl.Float64), rent=pl.lit(3.0), diagnosis=pl.lit(None, pl.String)
    )
    holey = Masked(Microdata(PEOPLE.schema, holes), np.arange(200))
    for missing in Missing:
        scenario = Scenario(known=("age", "rent", "income"), missing=missing)
        found = assess_releases(
            PEOPLE, holey, [holey], follow=follow, scenario=scenario, attacks=["dbrl", "mahalanobis"]
        )
        assert all(0 <= (row.estimate.number or 0) <= 1 for row in found.document.table)


def test_what_cannot_be_followed_is_refused() -> None:
    short = masked(PEOPLE.take(np.arange(50)))
    with pytest.raises(DataError, match="row order cannot follow"):
        by_order(Release(SAME), Release(short))
    with pytest.raises(ArgumentError, match="no key"):
        by_key(Release(SAME), Release(SAME))
    with pytest.raises(DataError, match="not unique"):
        by_key(Release(SAME, PEOPLE.frame["sex"]), Release(SAME, PEOPLE.frame["sex"]))
    wrong: list[tuple[dict[str, object], str]] = [
        ({"follow": "magic"}, "magic"),
        ({"follow": "key"}, "takes one column"),
        ({"follow": "order:a"}, "no column"),
        ({"follow": "none:age"}, "'age'"),
        ({"follow": "none:diagnosis,diagnosis"}, "twice"),
        ({"follow": "key:name"}, "this release has no column 'name'"),
        ({"candidates": 1}, "at least 2"),
        ({"known": "age"}, "not a list"),
        ({"known": ["agee"]}, "agee"),
        ({"attacks": ["magic"]}, "magic"),
    ]
    for options, says in wrong:
        with pytest.raises(UnmaskError, match=says):
            assess_releases(PEOPLE, PEOPLE, [PEOPLE], **options)  # type: ignore[arg-type]
    for earlier in ([], "old.csv"):
        with pytest.raises(ArgumentError, match="earlier"):
            assess_releases(PEOPLE, PEOPLE, earlier)
