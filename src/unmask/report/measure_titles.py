"""What every measure of the whole file is called, says and comes from."""

from __future__ import annotations

from unmask.report.entry import Title

_TORRA_2017 = (
    "V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer."
)
_SKINNER_ELLIOT = (
    "C. J. Skinner and M. J. Elliot (2002), A measure of disclosure risk for microdata, Journal of the Royal "
    "Statistical Society B 64, 855-867."
)
_DIVERSITY = (
    "A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam (2007), l-diversity: privacy beyond "
    "k-anonymity, ACM Transactions on Knowledge Discovery from Data 1(1)."
)
_CLOSENESS = "N. Li, T. Li and S. Venkatasubramanian (2007), t-closeness, IEEE ICDE."
_EL_EMAM = (
    "K. El Emam and F. K. Dankar (2008), Protecting privacy using k-anonymity, Journal of the "
    "American Medical "
    "Informatics Association 15, 627-637."
)
_SUDA = (
    "M. J. Elliot, A. M. Manning and R. W. Ford (2002), A computational algorithm for handling the special "
    "uniques problem, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10."
)
_LOG_LINEAR = (
    "E. A. H. Elamir and C. J. Skinner (2006), Record level measures of disclosure risk for survey "
    "microdata, "
    "Journal of Official Statistics 22, 525-539."
)

ATTRIBUTE: dict[str, Title] = {
    "interval-rank": Title(
        "interval disclosure, by rank",
        "The share of people whose true value lies among the p% of values next to the released one.",
        _TORRA_2017,
    ),
    "interval-sd": Title(
        "interval disclosure, by standard deviation",
        "The share of people whose true value lies within p% of a standard deviation of the released one.",
        _TORRA_2017,
    ),
    "interval-drisk": Title(
        "interval disclosure, as sdcMicro counts it",
        "The share of people whose every number lies within a given part of the released file's standard "
        "deviation of the released one.",
        "M. Templ, A. Kowarik and B. Meindl (2015), Statistical disclosure control for micro-data "
        "using the R "
        "package sdcMicro, Journal of Statistical Software 67(4).",
    ),
    "interval-drisk-rmd": Title(
        "interval disclosure, wider for outliers",
        "The share of people with at least one number close to the released one, where close is wider the "
        "farther a person lies from the centre (risk1); risk2 leaves out those whose released record has "
        "another one beside it. One close number suffices, by chance too: read it beside its baseline.",
        "M. Templ and B. Meindl (2008), Robust statistics meets SDC, Privacy in Statistical Databases, LNCS "
        "5262; dRiskRMD in sdcMicro.",
    ),
    "sadr": Title(
        "unchanged categories",
        "The share of people whose category is released as it is.",
        _TORRA_2017,
    ),
    "model-disclosure": Title(
        "prediction from the release",
        "The share of people whose confidential attribute a model trained on the release predicts from what "
        "the intruder knows, beside a model of the original file without them.",
        _TORRA_2017,
    ),
    "model-release": Title(
        "what the release adds",
        "For how many more people a model of the release is right than a model of the original file without "
        "them: what is learned beyond what the population tells anyway.",
        _TORRA_2017,
    ),
    "model-own-record": Title(
        "what a person's own record adds",
        "For how many more people a model is right when their own released record was among those it learned "
        "from.",
        _TORRA_2017,
    ),
    "model-attributes": Title(
        "how few attributes suffice",
        "The number of known attributes that already give nearly all that the release tells about a "
        "confidential one.",
        _TORRA_2017,
        fewer=True,
    ),
    "absent-attributes": Title(
        "attributes left out of the release",
        "The share of people about whom a model of the original file and one of the release say the "
        "same, for "
        "an attribute that is not released.",
        _TORRA_2017,
    ),
    "cells-external": Title(
        "cells that give a value away",
        "The share of people in a group of alike records that all have one confidential value: whoever knows "
        "that a person is in the group knows the value.",
        _TORRA_2017,
    ),
    "cells-internal": Title(
        "cells that give a value away to a member",
        "The same for an intruder who is a member of the group himself and knows his own value.",
        _TORRA_2017,
    ),
    "clusters-external": Title(
        "averaged groups that give a value away",
        "The share of people whose number is close to those of all who were averaged with them.",
        _TORRA_2017,
    ),
    "clusters-internal": Title(
        "averaged groups that give a value away to a member",
        "The same for an intruder who is a member of the group himself and knows his own value.",
        _TORRA_2017,
    ),
    "clusters-dominance": Title(
        "averages that one member can take apart",
        "The share of people whose number another member of their group can bound within p% of it.",
        "A. Hundepool et al. (2012), Statistical Disclosure Control, Wiley (the p% rule).",
    ),
}

MEMBERSHIP: dict[str, Title] = {
    "membership-distance": Title(
        "membership, by distance",
        "Whoever has a released record very close to him is taken for a member.",
        "D. Chen, N. Yu, Y. Zhang and M. Fritz (2020), GAN-Leaks, ACM CCS.",
        head="AUC",
    ),
    "membership-density": Title(
        "membership, by density",
        "Whoever has released records closer to him than other people are is taken for a member.",
        "B. van Breugel, H. Sun, Z. Qian and M. van der Schaar (2023), Membership inference attacks against "
        "synthetic data through overfitting detection, AISTATS.",
        head="AUC",
    ),
    "membership-model": Title(
        "membership, by shadow models",
        "Models like the released one, trained on other people, teach the intruder how a model answers those "
        "it has learned from.",
        "R. Shokri, M. Stronati, C. Song and V. Shmatikov (2017), Membership inference attacks "
        "against machine "
        "learning models, IEEE Symposium on Security and Privacy.",
        head="AUC",
    ),
    "closest-record-proxy": Title(
        "distance to the closest record (a proxy)",
        "The share of released records closer to the original file than to as many other people. Half says "
        "nothing. It is a proxy and no attack: small values do not rule membership inference out.",
        "M. Platzer and T. Reutterer (2021), Holdout-based empirical assessment of mixed-type "
        "synthetic data, "
        "Frontiers in Big Data 4.",
    ),
}

UNIQUENESS: dict[str, Title] = {
    "k-anonymity": Title(
        "k-anonymity",
        "The size of the smallest group of released records that are alike in what the intruder knows.",
        "L. Sweeney (2002), k-anonymity: a model for protecting privacy, International Journal of "
        "Uncertainty, "
        "Fuzziness and Knowledge-Based Systems 10, 557-570.",
        fewer=True,
    ),
    "sample-uniques": Title(
        "unique in the release",
        "The share of people whose released record nobody else's equals in what the intruder knows.",
        _SKINNER_ELLIOT,
    ),
    "small-classes": Title(
        "in a small group",
        "The share of people whose released record fewer than k records equal in what the intruder knows.",
        _SKINNER_ELLIOT,
    ),
    "l-diversity": Title(
        "l-diversity, distinct values",
        "The smallest number of different confidential values in a group of alike records.",
        _DIVERSITY,
        fewer=True,
    ),
    "l-diversity-entropy": Title(
        "l-diversity, entropy",
        "The smallest effective number of confidential values in a group of alike records.",
        _DIVERSITY,
        fewer=True,
    ),
    "l-diversity-recursive": Title(
        "l-diversity, recursive",
        "The largest l such that in no group the commonest confidential value outweighs the rarer ones.",
        _DIVERSITY,
        fewer=True,
    ),
    "t-closeness": Title(
        "t-closeness, ordered values",
        "How far the confidential values of a group lie, at most, from those of the whole file.",
        _CLOSENESS,
    ),
    "t-closeness-equal": Title(
        "t-closeness, unordered values",
        "How far the shares of the confidential values in a group are, at most, from those in the "
        "whole file.",
        _CLOSENESS,
    ),
    "special-uniques": Title(
        "unique on few attributes",
        "The share of people who are unique on a part of what the intruder knows already.",
        _SUDA,
    ),
    "special-uniques-contribution": Title(
        "which attributes make people unique",
        "The share of what makes people unique on few attributes in which an attribute takes part; several "
        "take part at once, so the shares add up to more than the whole.",
        _SUDA,
    ),
    "dis-suda": Title(
        "probability of a right match, by special uniques",
        "The mean probability that a match is right, shared out by how special a unique each record is.",
        "M. J. Elliot and A. Manning (2003), Using DIS to modify the classification of special uniques, "
        "UNECE/Eurostat work session on statistical data confidentiality.",
    ),
    "prosecutor-risk": Title(
        "prosecutor risk",
        "The largest probability that a person known to be in the release is matched right.",
        _EL_EMAM,
    ),
    "journalist-risk": Title(
        "journalist risk",
        "The largest probability that a match is right for an intruder who does not know who is in the "
        "release, from a file of everybody.",
        _EL_EMAM,
    ),
    "marketer-risk": Title(
        "marketer risk",
        "The share of records that are matched right by an intruder who matches all of them.",
        _EL_EMAM,
    ),
    "population-uniques": Title(
        "unique in the population",
        "The share of people unique in the release who are unique in the population file too.",
        _SKINNER_ELLIOT,
    ),
    "individual-risk": Title(
        "individual risk, from the survey weights",
        "The expected number of right matches, from how many people each record stands for.",
        "L. Franconi and S. Polettini (2004), Individual risk estimation in mu-Argus, Privacy in Statistical "
        "Databases, LNCS 3050, 262-272.",
    ),
    "household-risk": Title(
        "household risk, from the survey weights",
        "The expected number of people of whose household somebody is matched right.",
        "L. Franconi and S. Polettini (2004), Individual risk estimation in mu-Argus, Privacy in Statistical "
        "Databases, LNCS 3050, 262-272.",
    ),
    "log-linear-uniques": Title(
        "unique in the population, by a log-linear model",
        "How many people who are unique in the sample are expected to be unique in the population (tau 1).",
        _LOG_LINEAR,
    ),
    "log-linear-matches": Title(
        "right matches, by a log-linear model",
        "How many matches of sample uniques with the population are expected to be right (tau 2).",
        _LOG_LINEAR,
    ),
    "pitman": Title(
        "unique in the population, by the Pitman model",
        "How many people who are unique in the sample are expected to be unique in the population.",
        "N. Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk "
        "assessment, Journal "
        "of Official Statistics 17, 499-520.",
    ),
    "zayatz": Title(
        "unique in the population, by Zayatz's method",
        "How many people who are unique in the sample are expected to be unique in the population.",
        "L. V. Zayatz (1991), Estimation of the percent of unique population elements on a microdata "
        "file using "
        "the sample, US Bureau of the Census.",
    ),
    "misclassified-matches": Title(
        "right matches after post-randomisation",
        "How many matches of released uniques are expected to be right, where categories were redrawn.",
        "N. Shlomo and C. Skinner (2010), Assessing the protection provided by misclassification-based "
        "disclosure limitation methods for survey microdata, Annals of Applied Statistics 4, 1291-1310.",
    ),
}

MEASURES: dict[str, Title] = {**ATTRIBUTE, **MEMBERSHIP, **UNIQUENESS}
