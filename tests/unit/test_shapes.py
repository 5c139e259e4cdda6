"""How series, traces and graphs are read, written and glimpsed at; and what is refused, in one line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import unmask
from unmask.cli.verbs import app
from unmask.data.io.table import SourceTable
from unmask.data.loading import original_file
from unmask.data.shapes import GraphContent, SeriesContent, TraceContent
from unmask.data.shapes.named import shape_named
from unmask.data.shapes.shape import in_pairs
from unmask.errors import ArgumentError, DataError, UnmaskError
from unmask.intruder.glimpse import Glimpse
from unmask.masks import parse
from unmask.masks.shaped import masked_shape


def held(**columns):
    return SourceTable(pl.DataFrame(columns), {}, frozenset(), "file.csv")


def read(text, table, nodes=None):
    return shape_named(text).people(table, nodes)


LOADS = {"who": ["b", "a", "b", "a"], "day": ["2024-01-02", "2024-01-02", "2024-01-01", "2024-01-01"]}
LONG = "series:id=who,time=day,value=kwh"


def test_a_long_file_comes_in_any_order():
    people = read(LONG, held(**LOADS, kwh=[4.0, 2.0, 3.0, 1.0]))
    assert people.frame["who"].to_list() == ["a", "b"]
    assert people.content.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert np.diff(people.content.times).tolist() == [1.0]


def test_lengths_may_differ_and_what_lacks_is_missing():
    people = read(LONG, held(who=["a", "a", "b"], day=[1, 2, 2], kwh=[1.0, 2.0, 3.0]))
    assert np.isnan(people.content.values[1, 0])
    assert people.frame["level"].to_list() == [1.5, 3.0]


def test_attributes_that_never_change_within_a_person_stay_and_others_are_told_of():
    table = held(**LOADS, kwh=[4.0, 2.0, 3.0, 1.0], sex=["m", "f", "m", "f"], mood=[1, 2, 3, 4])
    people = read(LONG, table)
    assert people.frame.columns == ["who", "sex", "level", "spread"]
    assert people.content.notes == ("left out, as they change within a person: mood",)


def test_a_row_that_is_there_twice_counts_once():
    table = held(who=["a", "a", "a", "b", "b"], day=[1, 2, 1, 1, 1], kwh=[1.0, 2.0, 1.0, None, None])
    people = read(LONG, table)
    np.testing.assert_array_equal(people.content.values, [[1.0, 2.0], [np.nan, np.nan]])
    assert people.content.notes == ("2 rows that are there twice, with one value, count once",)


LONG_FILES = {
    LONG: held(
        age=[30, 30, 50], day=[2, 1, 1], who=["a", "a", "b"], read_by=["x", "y", "x"], kwh=[7.0, 6, 5]
    ),
    "series:id=who,time=t,value=kwh": held(who=["a", "a", "b"], t=[2, 1, 1], kwh=[7.0, 6, 5], age=[3, 3, 5]),
    "traces:id=who,time=day,place=cell": held(
        age=[30, 30, 50], day=[2, 1, 1], who=["a", "a", "b"], phone=["x", "y", "x"], cell=["k", "l", "k"]
    ),
}


@pytest.mark.parametrize("text", LONG_FILES)
def test_a_masked_long_file_has_the_columns_of_the_original_that_are_steady(text):
    table, shape = LONG_FILES[text], shape_named(text)
    mask = parse("series-noise:a=0" if text.startswith("series") else "trace-suppression:share=0")
    made = masked_shape(table, None, shape, mask, 1)
    varied = {"read_by", "phone"} & set(table.frame.columns)
    expected = table.frame.drop(varied)
    assert made.frame.columns == expected.columns
    assert set(made.frame.rows()) == set(expected.rows())
    left = [f"left out, as they change within a person: {name}" for name in varied]
    assert list(made.notes) == left


def test_the_terminal_says_what_a_masked_long_file_lacks(tmp_path):
    original, released = tmp_path / "loads.csv", tmp_path / "released.csv"
    LONG_FILES[LONG].frame.write_csv(original)
    asked = ["mask", str(original), "--mask", "series-noise:a=0.1", "--shape", LONG, "-o", str(released)]
    done = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert done.exit_code == 0
    assert "left out, as they change within a person: read_by" in done.output
    assert pl.read_csv(released).columns == ["age", "day", "who", "kwh"]


def test_a_wide_file_has_a_column_for_each_time():
    table = held(id=["x", "y"], h10=[1.0, 2.0], h2=[3.0, None], age=[31, 40])
    people = read("series:prefix=h,id=id", table)
    assert people.content.times.tolist() == [2.0, 10.0]
    assert people.content.names == ("h2", "h10")
    assert people.content.values[0].tolist() == [3.0, 1.0]
    assert people.frame.columns == ["id", "age", "level", "spread"]
    between = read("series:first=jan,last=mar", held(jan=[1.0, 1], feb=[2.0, 1], mar=[3.0, 2], x=[0, 1]))
    assert between.content.times.tolist() == [0.0, 1.0, 2.0]


CALLS = {
    "who": ["u2", "u1", "u1", "u1"],
    "at": ["2024-01-01 08:00", "2024-01-01 09:00", "2024-01-01 08:00", "2024-01-01 08:00"],
    "cell": ["k", "l", "k", "k"],
}


def test_a_trace_is_a_set_of_points():
    people = read("traces:id=who,time=at,place=cell", held(**CALLS))
    assert people.frame.rows() == [("u1", 2, 2), ("u2", 1, 1)]
    assert people.content.notes == ("1 points that a person left twice count once",)
    bare = read("traces:id=who,place=cell", held(**CALLS))
    assert bare.content.points == 3


def test_places_may_be_coordinates():
    people = read("traces:id=who,x=lon,y=lat", held(who=["a", "b"], lon=[1.5, 2.5], lat=[0.0, 0.5]))
    assert people.content.x.tolist() == [1.5, 2.5]
    assert people.frame["places"].to_list() == [1, 1]


TIES = {"a": ["x", "y", "y", "y"], "b": ["y", "x", "z", "y"]}


def test_ties_have_no_direction_and_loops_are_left_out():
    people = read("graph:source=a,target=b", held(**TIES))
    assert people.frame.rows() == [("x", 1), ("y", 2), ("z", 1)]
    assert people.content.notes == (
        "1 edge from a node to itself is left out",
        "1 edges that are there twice, in one direction or both, count once",
        "some ties are there in both directions (1), others in one: if the direction means something, say "
        "directed=yes in the shape, or people are told apart less than they could be",
    )


def test_an_isolated_node_is_one_of_the_table():
    nodes = held(node=["z", "y", "x", "alone"], age=[1, 2, 3, 4])
    people = read("graph:source=a,target=b", held(**TIES), nodes)
    assert people.frame["degree"].to_list() == [1, 2, 1, 0]
    assert people.frame["age"].to_list() == [1, 2, 3, 4]


REFUSED = [
    (LONG, held(who=["a", "a"], day=[1, 1], kwh=[1.0, 2.0]), "two values for one time"),
    (LONG, held(who=["a", "a"], day=[1, 1], kwh=[1.0, None]), "two values for one time"),
    (LONG, held(who=["a", "a"], day=[1, 2], kwh=["low", "high"]), "numeric in the schema but holds"),
    (LONG, held(who=["a", None], day=[1, 2], kwh=[1.0, 2.0]), "does not say whose 1 of its rows"),
    (LONG, held(who=["a", "a"], day=[1, None], kwh=[1.0, 2.0]), "lacks a time"),
    (LONG, held(who=["a", "a"], day=["soon", "late"], kwh=[1.0, 2.0]), "no times that can be read"),
    (LONG, held(who=["a", "a"], day=["01/02/2024", "03/02/2024"], kwh=[1.0, 2.0]), "read in two ways"),
    (LONG, held(who=["a"], day=[1], kwh=[1.0]), "the series of .* have fewer than 2 different times"),
    (LONG, held(who=["a", "a"], day=[1, 2]), "kwh"),
    (LONG, held(who=["a", "a"], day=[1, 2], kwh=[1.0, 2.0], level=[3, 3]), "a column 'level'"),
    ("series:prefix=h", held(h1=[1.0], age=[3]), "1 columns called 'h' and a number"),
    ("series:first=b,last=a", held(a=[1.0], b=[3.0]), "does not come after"),
    ("series:prefix=h", held(h1=["x"], h2=["y"]), "numeric in the schema but holds"),
    ("series:prefix=h", held(h1=[1.0], h01=[2.0]), "two columns for one time"),
    ("traces:id=who,place=cell", held(who=["a", "b"], cell=["k", None]), "lacks a place"),
    ("traces:id=who,x=x,y=y", held(who=["a"], x=[1.0], y=[float("nan")]), "lacks a place"),
    ("graph:source=a,target=b", held(a=["x"], b=["x"]), "no edge between two nodes"),
    ("graph:source=a,target=b", held(a=["x", "y"], b=["z", None]), "does not say whose"),
]


@pytest.mark.parametrize(("text", "table", "message"), REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(text, table, message):
    with pytest.raises(UnmaskError, match=message) as refusal:
        read(text, table)
    assert "Hint: " in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_edge_to_nobody_and_a_node_that_is_there_twice_are_refused():
    with pytest.raises(DataError, match=r"1 ends of the edges in file\.csv are no nodes"):
        read("graph:source=a,target=b", held(a=["x"], b=["q"]), held(node=["x", "y"]))
    with pytest.raises(DataError, match="names a node twice"):
        read("graph:source=a,target=b", held(a=["x"], b=["y"]), held(node=["x", "y", "y"]))


@pytest.mark.parametrize(
    "text",
    [
        "series:id=a",
        "series:first=a",
        "series:prefix=h,value=kwh",
        "series:time=a,value=b",
        "traces:id=a",
        "traces:id=a,place=b,x=c,y=d",
        "traces:id=a,x=c",
        "graph:source=a,target=a",
        "graph:source=a",
        "tree:id=a",
    ],
)
def test_a_shape_that_says_too_little_or_too_much_is_refused(text):
    with pytest.raises(ArgumentError, match="Hint: "):
        shape_named(text)


ROUNDS = [
    (LONG, held(**LOADS, kwh=[4.0, 2.0, 3.0, 1.0])),
    ("series:prefix=h,id=id", held(id=["x", "y"], h1=[1.0, 2.0], h2=[3.0, 0.0], age=[31, 40])),
    ("traces:id=who,time=at,place=cell", held(**CALLS)),
    ("traces:id=who,x=lon,y=lat", held(who=["a", "b"], lon=[1.5, 2.5], lat=[0.0, 0.5])),
    ("graph:source=a,target=b", held(**TIES)),
]


@pytest.mark.parametrize(("text", "table"), ROUNDS)
def test_what_is_written_reads_as_the_same_people(text, table):
    shape = shape_named(text)
    people = shape.people(table)
    data = replace(original_file(people), content=people.content)
    again = shape.people(replace(table, frame=shape.file(table, data)))
    assert again.content.describe() == people.content.describe()
    assert again.content.summary().equals(people.content.summary())
    if shape.key is not None:
        assert again.frame[shape.key].equals(people.frame[shape.key])


def test_pairs_tell_who_is_who():
    released = held(node=["k1", "k2"], degree=[1, 1])
    found = in_pairs(released, held(old=["x", "y"], new=["k2", "k1"]), "node")
    assert found.frame["node"].to_list() == ["y", "x"]
    for pairs, message in (
        (held(old=["x"]), "has 1 columns"),
        (held(old=["x", "y"], new=["k1", "k1"]), "somebody twice"),
        (held(old=["x"], new=["q"]), "no name"),
    ):
        with pytest.raises(DataError, match=message):
            in_pairs(released, pairs, "node")


class TestGlimpse:
    """What an intruder saw is part of what there is."""

    def rng(self):
        return np.random.default_rng(5)

    def test_some_points_of_a_series(self):
        whole = SeriesContent(np.arange(9.0), np.arange(27.0).reshape(3, 9))
        seen = Glimpse(points=4).of(whole, 0.0, self.rng())
        assert (~np.isnan(seen.values)).sum(axis=1).tolist() == [4, 4, 4]
        there = ~np.isnan(seen.values)
        assert (seen.values[there] == whole.values[there]).all()

    def test_a_clock_that_is_off(self):
        whole = SeriesContent(np.arange(3.0), np.ones((1, 3)))
        assert Glimpse(clock=2).of(whole, 0.0, self.rng()).times.tolist() == [2.0, 3.0, 4.0]

    def test_some_points_of_a_trace(self):
        frame = pl.DataFrame({"owner": [0, 0, 0, 1], "when": [1.0, 2.0, 3.0, 5.5], "where": ["a"] * 4})
        whole = TraceContent.of(frame, 2)
        seen = Glimpse(points=2).of(whole, 0.0, self.rng())
        assert np.diff(seen.indptr).tolist() == [2, 1]
        assert set(seen.when) <= set(whole.when)
        coarse = Glimpse(coarse=2).of(whole, 0.0, self.rng())
        assert coarse.when.tolist() == [0.0, 2.0, 4.0]

    def test_some_edges_of_a_graph(self):
        whole = GraphContent.of_edges(np.repeat(np.arange(1, 80), 2), np.arange(158) % 40, 80)
        seen = Glimpse(edges=0.5).of(whole, 0.0, self.rng())
        assert 0.3 < seen.size / whole.size < 0.7
        assert {*zip(*seen.edges(), strict=True)} <= {*zip(*whole.edges(), strict=True)}

    def test_what_another_shape_has_is_refused(self):
        whole = GraphContent.of_edges(np.array([0]), np.array([1]), 2)
        with pytest.raises(ArgumentError, match="'points', which files of the shape 'graph' have none of"):
            Glimpse(points=2).of(whole, 0.0, self.rng())

    @pytest.mark.parametrize("parts", [{"points": 0}, {"coarse": 0.0}, {"edges": 0.0}, {"seeds": -1}])
    def test_what_is_no_glimpse_is_refused(self, parts):
        with pytest.raises(ArgumentError, match="Hint: "):
            Glimpse(**parts)


def graph_files(n=60, lost=0.1):
    rng = np.random.default_rng(3)
    source = np.repeat(np.arange(1, n), 3)
    target = np.array([int(node * rng.random() ** 1.5) for node in source])
    kept = rng.random(len(source)) >= lost
    original = pl.DataFrame({"a": source, "b": target})
    return original, original.filter(kept).with_columns(pl.all() + 1000)


def assess_graph(**asked):
    original, released = graph_files()
    pairs = pl.DataFrame({"old": np.arange(60), "new": np.arange(60) + 1000})
    shape = "graph:source=a,target=b"
    return unmask.assess(original, released, shape=shape, pairs=pairs, **asked)


def test_nodes_are_found_and_seeds_are_not_counted():
    risk = assess_graph(measures=["reidentification"])
    rows = risk.table().filter(measure="reidentification")
    found = dict(zip(rows["attack"], rows["value"], strict=True))
    assert found["graph-signatures"] > 10 * found["guess"]
    records = risk.records()
    assert records["node"].to_list() == sorted(str(node) for node in range(60))
    seeded = assess_graph(measures=["reidentification"], glimpse=unmask.Glimpse(seeds=10))
    rows = seeded.table().filter(measure="reidentification", attack="graph-propagation")
    assert rows["n"].item() == risk.table().filter(measure="reidentification")["n"].max() - 10


def test_a_release_with_other_names_needs_pairs():
    original, released = graph_files()
    with pytest.raises(DataError, match=r"nobody has one name in both.*--pairs"):
        unmask.assess(original, released, shape="graph:source=a,target=b")


def test_a_release_may_be_wide_where_the_original_is_long():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 6)).cumsum(axis=1)
    wide = pl.DataFrame({"pid": [f"p{i}" for i in range(40)], **{f"m{t}": values[:, t] for t in range(6)}})
    long = wide.unpivot(index="pid", variable_name="t", value_name="kwh").rename({"pid": "person"})
    long = long.with_columns(pl.col("t").str.slice(1).cast(pl.Int64)).sample(
        fraction=1.0, shuffle=True, seed=1
    )
    risk = unmask.assess(
        long,
        wide,
        shape="series:id=person,time=t,value=kwh",
        released_shape="series:id=pid,prefix=m",
        attacks=["series-values"],
    )
    assert risk.table().filter(measure="reidentification")["value"].item() == 1.0
    with pytest.raises(ArgumentError, match="of another shape"):
        unmask.assess(long, wide, shape="traces:id=person,place=t", released_shape="series:prefix=m")


def test_rows_tell_nothing_of_points():
    original, released = graph_files()
    with pytest.raises(ArgumentError, match=r"points or ties.*--pairs"):
        unmask.assess(original, released, shape="graph:source=a,target=b", truth="rows")


def test_a_mask_of_attributes_is_refused():
    original, _ = graph_files()
    with pytest.raises(ArgumentError, match="does not change what a file of the shape 'graph' holds"):
        unmask.assess(original, unmask.masks.parse("noise:a=0.1"), shape="graph:source=a,target=b")
    with pytest.raises(ArgumentError, match="does not change"):
        unmask.mask(original, "noise:a=0.1", shape="graph:source=a,target=b")


def test_no_change_of_an_attribute_is_said_to_help():
    document = assess_graph().document
    assert document.conclusion is not None
    assert document.conclusion.changes == ()
    assert not document.table.where(curve="facts").rows
    assert document.conclusion.spread is not None


def test_masks_of_series_are_compared():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(60, 8)).cumsum(axis=1)
    frame = pl.DataFrame({f"m{t}": values[:, t] for t in range(8)})
    found = unmask.study(
        frame,
        ["series-noise:a={0.05,3}"],
        shape="series:prefix=m",
        attacks=["series-values"],
        losses=["series-error"],
        least="series-error",
        replicates=2,
    ).document
    weak, strong = (found.risk(f"series-noise:a={a}").value for a in (0.05, 3))
    assert found.risk("unprotected").value == 1.0
    assert found.risk("independent columns").value < 0.2
    assert weak > 0.9 > strong
    with pytest.raises(ArgumentError, match="does not change what a file of the shape 'series' holds"):
        unmask.study(frame, ["noise:a=0.1"], shape="series:prefix=m", attacks=["series-values"])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"glimpse": Glimpse(points=2)}, "plain tables"),
        ({"nodes": pl.DataFrame({"node": [1]})}, "no graph"),
        ({"pairs": pl.DataFrame({"a": [1], "b": [2]})}, "no column of names"),
        ({"shape": "series:prefix=h", "earlier": [pl.DataFrame({"h1": [1.0]})]}, "earlier releases"),
    ],
)
def test_what_would_not_count_is_refused(asked, message):
    frame = pl.DataFrame({"h1": [1.0, 2.0], "h2": [2.0, 5.0]})
    with pytest.raises(ArgumentError, match=message):
        unmask.assess(frame, frame, **asked)
