"""Reports on a study: agreement and correlations for the page, and the files of an export."""
