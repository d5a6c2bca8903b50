"""From where on a figure is worth a look. All in one place; a page that flags prints the number it compared with.

A flag is a question to the data, never an answer: each has a harmless explanation too, which the page gives beside it.
The thresholds are conventions of the literature on careless responding, mostly about questionnaires; texts of one kind
that are rated on few levels trip them more easily, so all ask for a fewest number of ratings first.
"""

from __future__ import annotations

__all__ = [
    "ATTENTION_FAILED",
    "ENTROPY_OF_ALL",
    "FAST",
    "FEWEST_LEVELS",
    "FEWEST_REPEATS",
    "FEWEST_TIMED",
    "ONE_LEVEL",
    "RUN_CHANCE",
    "SAME_ANSWER",
    "SHORTEST_RUN",
    "SKIMMING",
]

# Median seconds a word below this fraction of the study's median. Half is a relative speed index of 2, the cut that
# Leiner (2019), Too fast, too straight, too weird, Survey Research Methods 13, 229–248, found to catch meaningless
# interviews with few false alarms; Greszki, Meyer & Schoen (2015), Public Opinion Quarterly 79, 471–503, use the same.
FAST = 0.5
# Words a minute. Adults read non-fiction silently at 238 on average, most of them between 175 and 300: Brysbaert
# (2019), How many words do we read per minute?, Journal of Memory and Language 109, 104047. Twice the upper end is no
# longer reading; this one catches a study in which everybody hurries.
SKIMMING = 600.0
FEWEST_TIMED = 10

# Attention checks answered with another level than the expected one. One slip happens to careful people (Meade & Craig
# (2012), Identifying careless responses in survey data, Psychological Methods 17, 437–455; Curran (2016), Journal of
# Experimental Social Psychology 66, 4–19), so that two are asked for.
ATTENTION_FAILED = 2

# Hidden repeats answered with the same level, of at least so many. No convention exists; with three levels used alike
# a third agree by chance, and test–retest figures of careful raters lie well above a half.
SAME_ANSWER = 0.5
FEWEST_REPEATS = 5

# A run of one level at least this long whose probability, were the rater's own levels given in random order, lies
# below RUN_CHANCE: the long-string index of Johnson (2005), Journal of Research in Personality 39, 103–129, against
# each rater's own use of the levels instead of a fixed length.
SHORTEST_RUN = 8
RUN_CHANCE = 0.001

# One level in at least this share of ratings, while the levels given by all are spread at least twice as evenly
# (entropy). Either alone says something about the texts, both something about the rater.
ONE_LEVEL = 0.9
ENTROPY_OF_ALL = 0.5
FEWEST_LEVELS = 10
