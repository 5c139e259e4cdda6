"""Seeds that nobody was told: best-connected nodes of two graphs that are each other's nearest.

The best-connected people of two versions of a graph are nearly the same, and their surroundings are large, so
that they differ much from each other. An intruder without seeds compares their signatures, and takes pairs of
which each is the only nearest node of the other (A. Narayanan, E. Shi and B. Rubinstein (2011), Link
prediction by de-anonymization, IJCNN, 1825-1834, start from the best-connected nodes too). Where nodes have
attributes, these are compared as well, and everybody is asked.
"""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Ints
from unmask.data.shapes.graphs import GraphContent
from unmask.engines import Engine
from unmask.intruder.dossier import Dossier
from unmask.linkage.node_files import NodeFiles, every_node, node_attributes, node_files
from unmask.linkage.propagation import Seeds
from unmask.linkage.spaces import standardised

#: Best-connected nodes of the known graph that are compared.
HUBS = 200
#: Steps that their signatures see.
REACH = 2


def guessed_seeds(dossier: Dossier, engine: Engine, hubs: int = HUBS) -> Seeds:
    """Pairs of nodes that are each other's only nearest: best-connected ones, or all if they have attributes.

    >>> from unmask.data.microdata import Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.engines import LocalEngine
    >>> tree = GraphContent.of_edges(np.array([0, 0, 0, 3, 4]), np.array([1, 2, 3, 4, 5]), 6)
    >>> people = Microdata(Schema((Column("degree"),)), tree.summary(), content=tree)
    >>> seeds = guessed_seeds(Dossier(people, people.take(np.array([5, 4, 3, 2, 1, 0]))), LocalEngine())
    >>> seeds.known, seeds.released
    (array([0, 3, 4, 5]), array([5, 2, 1, 0]))
    """
    known, released = (every_node(graph) for graph in dossier.contents(GraphContent, "graph-propagation"))
    names = node_attributes(dossier)
    files = node_files(dossier, (known, released), names, REACH, engine)
    asked = np.arange(known.order) if names else _best_connected(known, hubs)
    found = _only_nearest(files, asked, engine)
    asked, found = asked[found >= 0], found[found >= 0]
    mutual = _only_nearest(files.turned(), found, engine) == asked
    return Seeds.guessed(asked[mutual], found[mutual])


def _best_connected(graph: GraphContent, hubs: int) -> Ints:
    """The nodes with the most neighbours, and all that have as many as the last of them; nobody alone."""
    degrees = np.diff(graph.indptr)
    least = np.sort(degrees)[::-1][min(hubs, len(degrees)) - 1]
    return np.flatnonzero(degrees >= max(int(least), 1))


def _only_nearest(files: NodeFiles, asked: Ints, engine: Engine) -> Ints:
    """The one node that is nearest to each of those asked; -1 where several are."""
    if not len(asked):
        return asked
    space = standardised(files.dossier, cache=engine.cache)
    near = engine.index(space.pairing(files.aggregation)).nearest(asked)
    first = np.full(len(near.cls_size), -1, np.int64)
    first[near.cls_of[::-1]] = np.arange(len(near.cls_of))[::-1]
    classes = np.diff(near.indptr)[near.row]
    cls = near.cls[near.indptr[near.row]]
    return np.where((classes == 1) & (near.cls_size[cls] == 1), first[cls], -1)
