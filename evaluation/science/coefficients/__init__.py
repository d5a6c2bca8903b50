"""Agreement coefficients, one formula a file; `registry` lists them under their public names."""
