"""The published numbers of Domingo-Ferrer and Torra (2002), and how the cells of their tables are named."""

from __future__ import annotations

from statistics import fmean

MASKS = ("Bottom", "Global", "PRAM", "Top")
STRENGTHS = tuple(range(1, 10))
PRL, DBRL, AWARE, UNION = "PRL", "DBRL", "mask-aware", "union"
#: The paper tabulates the first two, gives the average of the third, and recommends the fourth.
METHODS = (PRL, DBRL, AWARE, UNION)

#: Averages over 180 experiments as the text gives them; its tables have 579.28 (PRL) and 593.07 (DBRL).
AVERAGES = {PRL: 579.32, DBRL: 593.06, AWARE: 663.49}

#: The number of each group's table, in the paper's order.
TABLES = {"s": 2, "m": 3, "u": 4, "o": 5, "l": 6}

#: By group: nine rows (p = 1 to 9), each PRL on the four masks, then DBRL on them.
_PUBLISHED: dict[str, tuple[tuple[int, ...], ...]] = {
    "s": (
        (1000, 1000, 966, 1000, 502, 986, 978, 853),
        (699, 1000, 921, 891, 263, 861, 938, 617),
        (577, 917, 897, 749, 176, 651, 916, 447),
        (447, 730, 881, 493, 101, 326, 905, 200),
        (279, 835, 843, 429, 66, 103, 882, 95),
        (161, 695, 803, 458, 43, 83, 828, 78),
        (79, 355, 789, 688, 36, 9, 792, 42),
        (51, 51, 759, 45, 3, 3, 780, 42),
        (51, 51, 734, 188, 3, 3, 753, 42),
    ),
    "m": (
        (195, 118, 118, 114, 722, 995, 1000, 966),
        (448, 104, 117, 88, 372, 984, 997, 878),
        (428, 93, 114, 74, 340, 967, 997, 836),
        (410, 83, 115, 54, 332, 917, 994, 805),
        (386, 93, 109, 52, 323, 802, 990, 797),
        (372, 148, 101, 38, 313, 493, 985, 758),
        (367, 448, 96, 77, 302, 243, 981, 503),
        (367, 576, 102, 356, 272, 202, 980, 275),
        (593, 559, 98, 325, 156, 167, 981, 255),
    ),
    "u": (
        (530, 415, 414, 389, 572, 994, 986, 906),
        (799, 402, 411, 318, 352, 899, 956, 746),
        (828, 380, 438, 280, 225, 767, 943, 589),
        (824, 379, 421, 246, 171, 556, 939, 357),
        (691, 385, 413, 233, 126, 355, 914, 259),
        (690, 464, 402, 190, 92, 226, 896, 179),
        (666, 882, 378, 266, 68, 68, 880, 105),
        (570, 856, 391, 509, 22, 23, 877, 58),
        (598, 782, 387, 425, 11, 9, 849, 50),
    ),
    "o": (
        (1000, 999, 988, 1000, 876, 965, 987, 925),
        (932, 993, 952, 914, 746, 912, 970, 793),
        (749, 962, 936, 783, 570, 815, 925, 652),
        (553, 833, 909, 574, 442, 711, 917, 473),
        (428, 685, 906, 404, 309, 563, 877, 338),
        (357, 518, 865, 350, 265, 423, 861, 261),
        (318, 295, 853, 386, 213, 240, 862, 244),
        (329, 300, 829, 440, 186, 215, 848, 207),
        (305, 338, 801, 398, 169, 197, 833, 177),
    ),
    "l": (
        (1000, 999, 997, 997, 952, 996, 992, 970),
        (993, 997, 993, 968, 937, 992, 985, 909),
        (992, 993, 980, 950, 921, 969, 973, 874),
        (983, 986, 975, 917, 907, 946, 973, 825),
        (954, 979, 976, 862, 740, 912, 964, 772),
        (936, 934, 967, 798, 723, 863, 975, 716),
        (889, 894, 959, 730, 686, 824, 958, 661),
        (826, 844, 961, 676, 608, 753, 960, 554),
        (780, 785, 948, 571, 568, 687, 953, 476),
    ),
}

Key = tuple[str, str, str]


def key(group: str, p: int, mask: str, method: str) -> Key:
    """The table, row and column of a cell; what the paper does not tabulate has tables of its own."""
    title = f"Table {TABLES[group]}, group {group}"
    beyond = "" if method in (PRL, DBRL) else ": knowing the mask, and the union of PRL and DBRL"
    return title + beyond, f"p={p}", f"{method} {mask}"


def published(group: str, p: int, mask: str, method: str) -> float | None:
    """The published count of a cell; None where there is none."""
    if method not in (PRL, DBRL):
        return None
    row = _PUBLISHED[group][STRENGTHS.index(p)]
    return float(row[MASKS.index(mask) + (len(MASKS) if method == DBRL else 0)])


def published_average(mask: str | None, method: str) -> float | None:
    """The average of a mask's published counts; over all masks, the average that the text gives.

    >>> published_average("PRAM", DBRL), published_average(None, DBRL)
    (927.33, 593.06)
    """
    if mask is None:
        return AVERAGES.get(method)
    counts = [published(group, p, mask, method) for group in TABLES for p in STRENGTHS]
    present = [count for count in counts if count is not None]
    return round(fmean(present), 2) if present else None
