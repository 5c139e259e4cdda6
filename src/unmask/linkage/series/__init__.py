"""Spaces of series: two files of series on one grid of times, one scale and one clock, as coordinates."""

from unmask.linkage.series.alignment import aligned as aligned
from unmask.linkage.series.clock import on_one_clock as on_one_clock
from unmask.linkage.series.coordinates import amplitudes as amplitudes
from unmask.linkage.series.coordinates import fourier as fourier
from unmask.linkage.series.coordinates import quantiles as quantiles
from unmask.linkage.series.coordinates import ranks as ranks
from unmask.linkage.series.coordinates import shortened as shortened
from unmask.linkage.series.coordinates import slopes as slopes
from unmask.linkage.series.coordinates import wavelets as wavelets
from unmask.linkage.series.pair import SeriesPair as SeriesPair
from unmask.linkage.series.pair import Ways as Ways
from unmask.linkage.series.pair import as_it_is as as_it_is
from unmask.linkage.series.reading import as_meant as as_meant
from unmask.linkage.series.scale import filled as filled
from unmask.linkage.series.scale import of_one_form as of_one_form
from unmask.linkage.series.scale import on_one_scale as on_one_scale
from unmask.linkage.series.space import series_space as series_space
