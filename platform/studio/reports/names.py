"""What coefficients and tests are called on pages, and what they answer in a few words."""

from __future__ import annotations

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
    "exact_agreement": "Exact agreement",
    "cohen_kappa": "Cohen’s κ",
    "cohen_kappa_linear": "Linear κ",
    "cohen_kappa_quadratic": "Quadratic κ",
    "cohen_kappa_max": "Maximum attainable κ",
    "mean_pairwise_cohen_kappa": "Mean pairwise κ",
    "mean_pairwise_cohen_kappa_linear": "Mean pairwise linear κ",
    "mean_pairwise_cohen_kappa_quadratic": "Mean pairwise quadratic κ",
    "fleiss_kappa_available": "Fleiss’ κ, all items",
    "fleiss_kappa": "Fleiss’ κ, complete items",
    "conger_kappa": "Conger’s κ",
    "scott_pi": "Scott’s π",
    "krippendorff_alpha_nominal": "Krippendorff’s α, nominal",
    "krippendorff_alpha_ordinal": "Krippendorff’s α, ordinal",
    "krippendorff_alpha_interval": "Krippendorff’s α, interval",
    "gwet_ac1": "Gwet’s AC1",
    "gwet_ac2_linear": "Gwet’s AC2, linear",
    "gwet_ac2_quadratic": "Gwet’s AC2, quadratic",
    "gwet_ac2_ordinal": "Gwet’s AC2, ordinal",
    "brennan_prediger": "Brennan–Prediger",
    "brennan_prediger_linear": "Brennan–Prediger, linear",
    "brennan_prediger_quadratic": "Brennan–Prediger, quadratic",
    "pabak": "PABAK",
    "prevalence_index": "Prevalence index",
    "bias_index": "Bias index",
    "icc_a1": "ICC(A,1), equal spacing",
    "icc_c1": "ICC(C,1), equal spacing",
}

TESTS = {
    "stuart_maxwell": ("Stuart–Maxwell", "do both use the levels equally often?"),
    "bhapkar": ("Bhapkar", "the same, another variance"),
    "bowker": ("Bowker", "are disagreements symmetric?"),
    "mcnemar": ("McNemar", "the same for two levels"),
    "wilcoxon_shift": ("Wilcoxon signed rank", "is one rater stricter?"),
    "sign_shift": ("Sign test", "the same, by order alone"),
    "friedman": ("Friedman", "is any of the raters stricter?"),
    "chi2_independence": ("χ² of independence", "are the ratings associated at all? Not a test of margins"),
}

MEASURE_NAMES = {
    **{metric.key: metric.label for metric in METRICS},
    "order_free_area_new": "Order-free area",
    "order_free_area_difference": "Order-free area, difference",
    "area_new": "Area, the paper’s order",
    "area_difference": "Area, the paper’s order, difference",
}
