"""Whether a release is searched by one index, or split in space: from sizes alone.

An index takes, for each distinct record of d attributes,

    8 d            the record itself
    32 + 11 d      the tree of cuts: rows of eight records in float32, boxes, classes (12 d + 24 with large
                   boxes, which hold the record themselves)
    24 + 5 d       while it is built: folded coordinates, order and nodes of the tree

bytes: 56 + 24 d at the peak. (Measured once it is built: 66 for 2 attributes, 132 for 6, 246 for 13, 461 for
26; with missing values up to 522.) Every machine that searches needs the index, or that of one shard at a
time. Who splits a release also keeps its classes, about 40 bytes per record, which are not part of this.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Bytes of an index for each record, and for each of its values, at the peak.
PER_RECORD, PER_VALUE = 56, 24
#: How much larger than the mean the largest shard may be.
LARGEST = 1.25


@dataclass(frozen=True)
class OneIndex:
    """One index of all records."""

    needed: int  # bytes
    room: int

    def describe(self) -> str:
        """One line for who asks how the work is done."""
        return f"one index: it takes about {_bytes(self.needed)} of {_bytes(self.room)}"


@dataclass(frozen=True)
class Split:
    """An index for each of so many shards."""

    shards: int
    needed: int  # bytes, of all shards
    room: int

    def describe(self) -> str:
        """One line for who asks how the work is done."""
        return (
            f"split in space into {self.shards} shards: one index would take about {_bytes(self.needed)}, "
            f"and there are {_bytes(self.room)}"
        )


def plan(records: int, attributes: int, room_bytes: int) -> OneIndex | Split:
    """How a release is searched where an index may take so many bytes.

    >>> plan(1_000_000, 13, 4 << 30).describe()
    'one index: it takes about 0.3 GB of 4.0 GB'
    >>> plan(200_000_000, 13, 8 << 30).describe()
    'split in space into 11 shards: one index would take about 68.5 GB, and there are 8.0 GB'
    >>> plan(1000, 2, 0).shards
    1000
    """
    needed = records * (PER_RECORD + PER_VALUE * attributes)
    if needed <= room_bytes:
        return OneIndex(needed, room_bytes)
    shards = -(-int(needed * LARGEST) // max(room_bytes, 1))
    return Split(min(shards, records), needed, room_bytes)


def _bytes(number: int) -> str:
    return f"{number / 2**30:.1f} GB"
