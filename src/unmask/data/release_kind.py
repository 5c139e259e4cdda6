"""ReleaseKind: what was done to a file before it went out, as far as measures must know."""

from __future__ import annotations

from enum import StrEnum


class ReleaseKind(StrEnum):
    """What a release is made of; one release can be of several kinds, attribute by attribute.

    Sampling, recoding and suppression leave true what they release: who shares a released key with somebody
    may be that person. So counts of keys, in the file and in the population, say how sure a match is (Skinner
    and Elliot 2002; Hundepool and others 2012, chapter 3). Perturbation and synthesis release values that may
    be wrong: a key that is unique need not be anybody's, and equal keys do not mean the same person (Shlomo
    and Skinner 2010). There the risk is what linkage reaches.

    ``sample``: some of the people, their values as they are;
    ``recoded``: values made coarser but still true: bands, groups of categories, top and bottom codes;
    values released as they are count as recoded by nothing;
    ``suppressed``: single values made missing, which may be anything;
    ``perturbed``: values that may no longer be true: noise, swapping, microaggregation, PRAM;
    ``synthetic``: records drawn from a model, none of which is anybody's.

    >>> ReleaseKind("recoded").name
    'RECODED'
    """

    SAMPLE = "sample"
    RECODED = "recoded"
    SUPPRESSED = "suppressed"
    PERTURBED = "perturbed"
    SYNTHETIC = "synthetic"
