"""What the reader of rating files says, each behind the name of the file: patterns to be looked up by `worded`.

The more particular of two that could fit stands first.
"""

from django.utils.translation import gettext_noop

__all__ = ["READING"]

READING = (
    gettext_noop(
        "%(where)s: row %(row)s: %(value)s is not among the levels %(levels)s; did you mean %(meant)s? --fold "
        "accepts such spellings"
    ),
    gettext_noop("%(where)s: row %(row)s: %(value)s is not among the levels %(levels)s; did you mean %(meant)s?"),
    gettext_noop("%(where)s: there is a header but no row under it"),
    gettext_noop("%(where)s: row %(row)s: the criterion column is empty"),
    gettext_noop("%(where)s: row %(row)s: the cluster column is empty"),
    gettext_noop("%(where)s: row %(row)s: the rater column is empty"),
    gettext_noop("%(where)s: row %(row)s: the item column %(column)s is empty"),
    gettext_noop(
        "%(where)s: rows %(first)s and %(second)s rate %(what)s differently; --duplicates last takes the later one"
    ),
    gettext_noop("%(where)s: rows %(first)s and %(second)s put one item into two clusters, %(one)s and %(other)s"),
    gettext_noop(
        "%(where)s: row %(row)s: the levels are text (%(levels)s): give all of them in order, lowest first, with "
        "--levels, as in --levels low,medium,high"
    ),
    gettext_noop("%(where)s: there is no rating, every value is missing"),
    gettext_noop("%(where)s: %(number)s distinct numbers: these look like measurements, not levels of a scale"),
    gettext_noop("%(where)s: row %(row)s: %(value)s is not among the levels %(levels)s"),
    gettext_noop("%(where)s: row 1 holds only numbers: a header row with column names is needed"),
    gettext_noop("%(where)s: a long file has one rater column; --rater was given more than once"),
    gettext_noop("%(where)s: no rater columns beside %(column)s; is the delimiter right?"),
    gettext_noop("%(where)s: no column %(column)s; the columns are %(columns)s"),
    gettext_noop("%(where)s: no %(role)s column among %(columns)s; name it with --%(option)s COLUMN"),
    gettext_noop("%(where)s: the file is empty"),
    gettext_noop("%(where)s: the old XLS format cannot be read; save it as XLSX or CSV"),
    gettext_noop("%(where)s: JSON is not read here; save the ratings as CSV, TSV or XLSX"),
    gettext_noop(
        "%(where)s: this is not UTF-8, UTF-16 or Windows-1252 text, nor a workbook; save the ratings as CSV, TSV "
        "or XLSX"
    ),
    gettext_noop("%(where)s: row %(row)s cannot be read (%(error)s)"),
    gettext_noop("%(where)s: the file has no header row"),
    gettext_noop("%(where)s: row %(row)s: the column name %(column)s occurs twice"),
    gettext_noop("%(where)s: row %(row)s has %(cells)s cells, but the header has %(columns)s columns"),
    gettext_noop(
        "%(where)s: not a workbook that can be read (%(error)s); open it in a spreadsheet program and save it again"
    ),
    gettext_noop(
        "%(where)s: the first column, %(column)s, repeats its values and so does not name the items; add an item "
        "column, or name it with --item COLUMN"
    ),
    gettext_noop(
        "%(where)s: no --levels given: the numbers that occur were taken as the scale, %(levels)s; declare all "
        "levels if some were never used"
    ),
    gettext_noop(
        "%(where)s: %(number)s ratings; a page takes up to %(most)s. The command line has no limit: kappagraph "
        "agreement FILE --json"
    ),
    gettext_noop(
        "%(where)s: %(number)s criteria; a page shows up to %(most)s. Is the criterion column right? Otherwise "
        "upload the criteria in parts"
    ),
    gettext_noop(
        "%(where)s: the report on so many raters is too large for a page; use kappagraph agreement FILE --json"
    ),
    gettext_noop("%(where)s: reading it takes more memory than a page may use"),
    gettext_noop(
        "%(where)s: it takes more time or memory than a page may use. The command line has no such limits: "
        "kappagraph agreement FILE --json"
    ),
    gettext_noop("%(where)s: it could not be read; save it as CSV, and try again"),
    gettext_noop("an empty level is declared; write --levels low,medium,high"),
    gettext_noop("%(number)s levels are declared; at most %(most)s can be analysed"),
    gettext_noop("only the first sheet, %(sheet)s, was read (not %(others)s)"),
    gettext_noop("%(where)s: %(number)s repeated rating: all repeat the same value"),
    gettext_noop("%(where)s: %(number)s repeated ratings: all repeat the same value"),
    gettext_noop("%(where)s: %(number)s repeated ratings: the last one was taken"),
    gettext_noop("%(where)s: %(number)s repeated rating: the last one was taken"),
)
