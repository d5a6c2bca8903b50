"""What coefficients and tests are called on pages, and what they answer in a few words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from graphs.science.metric_registry import METRICS

__all__ = ["COEFFICIENTS", "HEADLINE", "MEASURE_NAMES", "TESTS"]

# The four that a reader looks for first, by how many raters there are.
HEADLINE = {
    "pair": ("exact_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"),
    "overall": (
        "exact_agreement",
        "krippendorff_alpha_ordinal",
        "mean_pairwise_cohen_kappa_linear",
        "fleiss_kappa_available",
    ),
}

COEFFICIENTS = {
    "exact_agreement": _("Exact agreement"),
    "cohen_kappa": _("Cohen’s κ"),
    "cohen_kappa_linear": _("Linear κ"),
    "cohen_kappa_quadratic": _("Quadratic κ"),
    "cohen_kappa_max": _("Maximum attainable κ"),
    "mean_pairwise_cohen_kappa": _("Mean pairwise κ"),
    "mean_pairwise_cohen_kappa_linear": _("Mean pairwise linear κ"),
    "mean_pairwise_cohen_kappa_quadratic": _("Mean pairwise quadratic κ"),
    "fleiss_kappa_available": _("Fleiss’ κ, all items"),
    "fleiss_kappa": _("Fleiss’ κ, complete items"),
    "conger_kappa": _("Conger’s κ"),
    "scott_pi": _("Scott’s π"),
    "krippendorff_alpha_nominal": _("Krippendorff’s α, nominal"),
    "krippendorff_alpha_ordinal": _("Krippendorff’s α, ordinal"),
    "krippendorff_alpha_interval": _("Krippendorff’s α, interval"),
    "gwet_ac1": _("Gwet’s AC1"),
    "gwet_ac2_linear": _("Gwet’s AC2, linear"),
    "gwet_ac2_quadratic": _("Gwet’s AC2, quadratic"),
    "gwet_ac2_ordinal": _("Gwet’s AC2, ordinal"),
    "brennan_prediger": _("Brennan–Prediger"),
    "brennan_prediger_linear": _("Brennan–Prediger, linear"),
    "brennan_prediger_quadratic": _("Brennan–Prediger, quadratic"),
    "pabak": _("PABAK"),
    "prevalence_index": _("Prevalence index"),
    "bias_index": _("Bias index"),
    "icc_a1": _("ICC(A,1), equal spacing"),
    "icc_c1": _("ICC(C,1), equal spacing"),
}

TESTS = {
    "stuart_maxwell": (_("Stuart–Maxwell"), _("do both use the levels equally often?")),
    "bhapkar": (_("Bhapkar"), _("the same, another variance")),
    "bowker": (_("Bowker"), _("are disagreements symmetric?")),
    "mcnemar": (_("McNemar"), _("the same for two levels")),
    "wilcoxon_shift": (_("Wilcoxon signed rank"), _("is one rater stricter?")),
    "sign_shift": (_("Sign test"), _("the same, by order alone")),
    "friedman": (_("Friedman"), _("is any of the raters stricter?")),
    "chi2_independence": (_("χ² of independence"), _("are the ratings associated at all? Not a test of margins")),
}

MEASURE_NAMES = {
    **{metric.key: _(metric.label) for metric in METRICS},
    "order_free_area_new": _("Order-free area"),
    "order_free_area_difference": _("Order-free area, difference"),
    "area_new": _("Area, the paper’s order"),
    "area_difference": _("Area, the paper’s order, difference"),
}
