"""What every attack, and every measure of an attack, is called, does and comes from."""

from __future__ import annotations

from unmask.report.entry import Title

_DOMINGO_TORRA_2002 = (
    "J. Domingo-Ferrer and V. Torra (2002), Validating distance-based record linkage with probabilistic "
    "record linkage, Topics in Artificial Intelligence, LNAI 2504, 207-215."
)
_MURALIDHAR_2016 = (
    "K. Muralidhar and J. Domingo-Ferrer (2016), Rank-based record linkage for re-identification risk "
    "assessment, Privacy in Statistical Databases (PSD 2016), Springer."
)

ATTACKS: dict[str, Title] = {
    "guess": Title(
        "guessing",
        "The intruder picks a released record at random; an attack has to beat this to show anything.",
        "V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer.",
    ),
    "dbrl": Title(
        "distance-based linkage",
        "For each person he knows, the intruder takes the released record whose values are nearest, all "
        "attributes brought to one scale and counting alike.",
        _DOMINGO_TORRA_2002,
    ),
    "mahalanobis": Title(
        "Mahalanobis linkage",
        "As distance-based linkage, but attributes that move together count once, not several times.",
        "V. Torra, J. M. Abowd and J. Domingo-Ferrer (2006), Using Mahalanobis distance-based record linkage "
        "for disclosure risk assessment, Privacy in Statistical Databases, LNCS 4302, 233-242.",
    ),
    "rbrl-sum": Title(
        "rank-based linkage (sum)",
        "The intruder compares places in the order (who has the highest income, the next, ...) instead of "
        "values, and takes the released record whose places differ least in total.",
        _MURALIDHAR_2016,
    ),
    "rbrl-max": Title(
        "rank-based linkage (maximum)",
        "As rank-based linkage by the sum, but a record is judged by the one attribute in which its place "
        "differs most; made for files whose values were swapped with near ones.",
        _MURALIDHAR_2016,
    ),
    "prl": Title(
        "probabilistic linkage",
        "For each attribute the intruder estimates how often two records of one person agree on it, and how "
        "often those of two people do; agreement that is rare by chance counts most.",
        "I. P. Fellegi and A. B. Sunter (1969), A theory for record linkage, Journal of the American "
        "Statistical Association 64, 1183-1210.",
    ),
    "owa": Title(
        "ordered weighted average linkage",
        "As distance-based linkage, but the differences of a pair are put in order and weighted by their "
        "place: with most weight on the small ones, a few badly changed attributes do not hide a person.",
        "R. R. Yager (1988), On ordered weighted averaging aggregation operators in multicriteria "
        "decisionmaking, IEEE Transactions on Systems, Man and Cybernetics 18, 183-190.",
    ),
    "choquet": Title(
        "Choquet integral linkage",
        "As distance-based linkage, but sets of attributes have weights of their own, so that attributes "
        "can strengthen or replace each other.",
        "G. Choquet (1953), Theory of capacities, Annales de l'Institut Fourier 5, 131-295.",
    ),
    "sugeno": Title(
        "Sugeno integral linkage",
        "As Choquet integral linkage, but by levels: how large a difference do how many attributes reach?",
        "M. Sugeno (1974), Theory of fuzzy integrals and its applications, Tokyo Institute of Technology.",
    ),
    "reidentification": Title(
        "re-identification",
        "The share of people whose record is found; where t records tie for the nearest, each counts 1/t.",
    ),
    "reidentification-strict": Title(
        "re-identification, strict",
        "The share of people whose record is the only nearest one.",
    ),
    "reidentification-lenient": Title(
        "re-identification, lenient",
        "The share of people whose record is among the nearest ones, however many tie.",
    ),
    "union": Title(
        "all attacks together",
        "Each person counts as far as the attack that does best on him goes; no single intruder need reach "
        "it, because he does not know which attack is right for whom.",
        _DOMINGO_TORRA_2002,
    ),
}
