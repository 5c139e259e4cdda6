"""What every attack is called, does and comes from."""

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

_SUPERVISED = (
    "D. Abril, G. Navarro-Arribas and V. Torra (2012), Improving record linkage with supervised learning for "
    "disclosure risk assessment, Information Fusion 13, 274-284."
)
#: What each learned distance is free to choose.
_FORMS = {
    "wm": ("weighted mean", "a weight for each attribute"),
    "owa": ("OWA", "a weight for each place in the order of a pair's differences"),
    "choquet": ("Choquet integral", "a weight for each set of attributes"),
    "bilinear": ("bilinear form", "a weight for each attribute and each pair of them"),
}


def _learned(form: str, chosen: str) -> dict[str, Title]:
    """A learned distance, in values and in ranks, on the people it was learned from and on others."""
    titles = {}
    for space, where in (("", ""), ("-ranks", ", in ranks")):
        name = f"learned-{form}{space}"
        what = f"worst case, {_FORMS[form][0]}{where}"
        titles[name] = Title(
            what,
            f"With the truth in hand, {chosen} is chosen so that as many people as possible are found. No "
            "intruder can do this: it is the yardstick for every attack of this form.",
            _SUPERVISED,
        )
        titles[f"{name}-holdout"] = Title(
            f"{what}, on other people",
            "The same, chosen on four fifths of the people and tried on the others, in turn: what an "
            "intruder could reach who knows the truth of some people already.",
            _SUPERVISED,
        )
    return titles


_LEARNED: dict[str, Title] = {}
for _form, (_, _chosen) in _FORMS.items():
    _LEARNED |= _learned(_form, _chosen)

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
    "mechanism": Title(
        "linkage by who knows the mask",
        "The intruder knows how the file was protected, and takes the released record that the mask most "
        "probably made of the person's: what it cannot do is ruled out, what it does often counts most.",
        "J. Nin, J. Herranz and V. Torra (2008), Rethinking rank swapping to decrease disclosure risk, Data "
        "and Knowledge Engineering 64, 346-364; and on transparency V. Torra (2017), Data Privacy, Springer.",
    ),
    "mechanism-posterior": Title(
        "posterior of who knows the mask",
        "As linkage by who knows the mask, but he believes in each record as far as it is probable.",
        "V. Torra (2017), Data Privacy, Springer (transparency attacks).",
    ),
    "mask-aware": Title(
        "distance-based linkage within what the mask allows",
        "As distance-based linkage, but records that the mask cannot have made are ruled out.",
        _DOMINGO_TORRA_2002,
    ),
    "one-to-one": Title(
        "one-to-one linkage",
        "Everybody is matched at once, each with a record of his own, so that the distances add up to as "
        "little as possible.",
        "J. Herranz, J. Nin, P. Rodriguez and T. Tassa (2015), Revisiting distance-based record linkage for "
        "privacy-preserving release of statistical datasets, Data and Knowledge Engineering 100, 78-93.",
    ),
    "structural": Title(
        "linkage without common attributes",
        "The two files share no attribute. Each record is replaced by what it looks like as a whole: how "
        "large its values are, from the largest to all of them; records that look alike are linked.",
        "V. Torra and J. Nin (2008), Record linkage for database integration using fuzzy integrals, "
        "International Journal of Intelligent Systems 23, 715-734.",
    ),
    "alignment": Title(
        "linkage by learned alignment",
        "The two files share no attribute. The intruder guesses a matching of the people, learns from it "
        "which attributes of the two files go together, matches again, and keeps what fits best.",
        "H. Hotelling (1936), Relations between two sets of variates, Biometrika 28, 321-377 (the "
        "correlations that are fitted).",
    ),
    **_LEARNED,
    "union": Title(
        "all attacks together",
        "Each person counts as far as the attack that does best on him goes; no single intruder need reach "
        "it, because he does not know which attack is right for whom.",
        _DOMINGO_TORRA_2002,
    ),
}
