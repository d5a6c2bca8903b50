"""Reading ratings from the files that people have: CSV, TSV and XLSX, wide and long. Pure: no Django, no pandas."""
