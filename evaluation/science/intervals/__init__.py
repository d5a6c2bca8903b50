"""Confidence intervals: asymptotic, jackknife-t, percentile and BCa bootstrap, Wilson's for plain proportions."""
