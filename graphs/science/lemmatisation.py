"""English plurals to singulars, by rules: a light lemmatisation without a dictionary or a dependency.

Only the number of nouns (and with it the third person of verbs) is undone, since that can be done by the ending alone
with few mistakes. Tenses, degrees and derivations stay: *settle*, *settled* and *settling* remain three words, as
*settlement* remains a fourth. Tokens with digits, symbols or letters other than a to z before the ending stay as they
are.

References
----------
D. Harman (1991). How effective is suffixing? *Journal of the American Society for Information Science* 42(1), 7-15: the
"S stemmer", here with the endings of Greek and Latin plurals and of sibilants added.
"""

import re

__all__ = ["lemmatise"]

_PLURAL = re.compile(r"(?:^|[-/])[a-z]{3,}s$")

#: Plurals that no rule below finds; the last part of a hyphenated token counts.
_IRREGULAR = {
    "algae": "alga",
    "analyses": "analysis",
    "apparatuses": "apparatus",
    "appendices": "appendix",
    "axes": "axis",
    "bacteria": "bacterium",
    "bases": "basis",
    "biases": "bias",
    "bonuses": "bonus",
    "buses": "bus",
    "caches": "cache",
    "calories": "calorie",
    "calves": "calf",
    "campuses": "campus",
    "children": "child",
    "cookies": "cookie",
    "crises": "crisis",
    "criteria": "criterion",
    "diagnoses": "diagnosis",
    "feet": "foot",
    "foci": "focus",
    "focuses": "focus",
    "formulae": "formula",
    "fungi": "fungus",
    "gases": "gas",
    "geese": "goose",
    "genera": "genus",
    "halves": "half",
    "headaches": "headache",
    "hypotheses": "hypothesis",
    "indices": "index",
    "knives": "knife",
    "larvae": "larva",
    "leaves": "leaf",
    "lenses": "lens",
    "lives": "life",
    "loci": "locus",
    "matrices": "matrix",
    "maxima": "maximum",
    "men": "man",
    "metastases": "metastasis",
    "mice": "mouse",
    "minima": "minimum",
    "movies": "movie",
    "niches": "niche",
    "nuclei": "nucleus",
    "optima": "optimum",
    "oxen": "ox",
    "parentheses": "parenthesis",
    "phenomena": "phenomenon",
    "prairies": "prairie",
    "prostheses": "prosthesis",
    "quanta": "quantum",
    "radii": "radius",
    "shelves": "shelf",
    "shoes": "shoe",
    "spectra": "spectrum",
    "statuses": "status",
    "stimuli": "stimulus",
    "strata": "stratum",
    "symbioses": "symbiosis",
    "syntheses": "synthesis",
    "teeth": "tooth",
    "theses": "thesis",
    "toes": "toe",
    "vertices": "vertex",
    "viruses": "virus",
    "vortices": "vortex",
    "wolves": "wolf",
    "women": "woman",
    "yeses": "yes",
}

#: Words that end like plurals and are none.
_SINGULAR = frozenset(
    {
        *("afterwards", "alias", "always", "atlas", "backwards", "besides", "bias", "canvas", "chaos", "christmas"),
        *("cosmos", "diabetes", "does", "downwards", "ethos", "forwards", "goes", "hers", "herpes", "kudos", "lens"),
        *(
            "means",
            "news",
            "ours",
            "overseas",
            "pancreas",
            "pathos",
            "perhaps",
            "rabies",
            "series",
            "sometimes",
            "odds",
            "ethics",
        ),
        *(
            "species",
            "bayes",
            "nowadays",
            "themselves",
            "texas",
            "theirs",
            "towards",
            "trans",
            "upwards",
            "whereas",
            "yours",
        ),
    }
)

#: Ending and replacement: the first that fits acts. An ending that replaces itself belongs to no plural.
_ENDINGS = (
    *((ending, ending) for ending in ("ss", "us", "is", "dynamics", "genetics", "kinetics", "linguistics", "matics")),
    *((ending, ending) for ending in ("mechanics", "omics", "physics", "robotics", "thermics")),
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("zzes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("oes", "o"),
    ("s", ""),
)


def lemmatise(token: str) -> str:
    """Return the singular of a lower-case token, or the token itself where no rule applies.

    Examples
    --------
    >>> [lemmatise(word) for word in ("rivers", "studies", "processes", "analyses", "co-authors", "physics", "settled")]
    ['river', 'study', 'process', 'analysis', 'co-author', 'physics', 'settled']
    """
    cut = max(token.rfind("-"), token.rfind("/")) + 1
    head, word = token[:cut], token[cut:]
    if word in _IRREGULAR:
        return head + _IRREGULAR[word]
    if word in _SINGULAR or not _PLURAL.search(token):
        return token
    if word.endswith("ies") and len(word) == 4:
        return head + word[:-1]
    ending, replacement = next(rule for rule in _ENDINGS if word.endswith(rule[0]))
    return head + word.removesuffix(ending) + replacement
