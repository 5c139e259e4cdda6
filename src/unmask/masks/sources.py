"""Publications that several masks come from."""

from __future__ import annotations

KIM_1986 = (
    "J. J. Kim (1986), A method for limiting disclosure in microdata based on random noise and "
    "transformation, Proceedings of the Section on Survey Research Methods, American Statistical Association"
)
WILLENBORG_WAAL_2001 = (
    "L. Willenborg and T. de Waal (2001), Elements of Statistical Disclosure Control, Lecture Notes in "
    "Statistics 155, Springer."
)
NOWOK_2016 = (
    "B. Nowok, G. M. Raab and C. Dibben (2016), synthpop: Bespoke creation of synthetic data in R, Journal "
    "of Statistical Software 74(11)"
)
