"""Publications that several measures come from."""

from __future__ import annotations

TORRA_2017 = (
    "V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer."
)
SKINNER_ELLIOT = (
    "C. J. Skinner and M. J. Elliot (2002), A measure of disclosure risk for microdata, Journal of the Royal "
    "Statistical Society B 64, 855-867."
)
FRANCONI_POLETTINI = (
    "L. Franconi and S. Polettini (2004), Individual risk estimation in mu-Argus, Privacy in Statistical "
    "Databases, LNCS 3050, 262-272."
)
GIOMI_2023 = (
    "M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnadi (2023), A unified framework for quantifying privacy "
    "risk in synthetic data, Proceedings on Privacy Enhancing Technologies 2023(2), 312-328."
)
RAAB_2024 = (
    "G. M. Raab, B. Nowok and C. Dibben (2024), Practical privacy metrics for synthetic data, "
    "arXiv:2406.16826."
)
