"""The works that the reported statistics come from."""

from __future__ import annotations

__all__ = ["REFERENCES"]

REFERENCES = (
    "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, "
    "37–46.",
    "Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70, 213–220.",
    "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76, 378–382.",
    "Krippendorff, K. (2004). Content Analysis, 2nd ed. Sage.",
    "Gwet, K. L. (2008). Computing inter-rater reliability in the presence of high agreement. British Journal of "
    "Mathematical and Statistical Psychology 61, 29–48.",
    "Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives. Educational "
    "and Psychological Measurement 41, 687–699.",
    "Landis, J. R. and Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics 33,"
    " 159–174.",
    "Stuart, A. (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika "
    "42, 412–416.",
    "Maxwell, A. E. (1970). Comparing the classification of subjects by two independent judges. British Journal of "
    "Psychiatry 116, 651–655.",
    "Bowker, A. H. (1948). A test for symmetry in contingency tables. Journal of the American Statistical Association"
    " 43, 572–574.",
    "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80–83.",
    "Spearman, C. (1904). The proof and measurement of association between two things. American Journal of Psychology"
    " 15, 72–101.",
    "Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33, 239–251.",
    "Phipson, B. and Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical Applications in "
    "Genetics and Molecular Biology 9, 39.",
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, "
    "65–70.",
    "Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal Statistical "
    "Society B 57, 289–300.",
)
