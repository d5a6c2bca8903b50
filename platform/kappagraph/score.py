"""``kappagraph score``: co-occurrence graph metrics of texts, without database or Django."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kappagraph.text_input import read_texts
from kappagraph.text_source import InputError, InputText, TextSource

# The science is imported when a text is scored, so that `kappagraph --help` does not wait for NumPy.
if TYPE_CHECKING:
    from graphs.science.settings import GraphSettings, Weighting
    from graphs.science.stopwords import StopwordList

__all__ = ["add_parser", "run"]

_WEIGHTING_OF_ADJACENCY: "dict[str, Weighting]" = {"binary": "binary", "weighted": "count"}

_DESCRIPTION = """\
Turn each text into a graph of words that occur close together, and print seven robustness metrics of it.
FILE is a text (.txt), a table (CSV, TSV) or JSON lines; - is standard input. One line of JSON a text, or a
table when the output is a terminal."""


def add_parser(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Register ``score`` with the command line's parser; its ``func`` takes the parsed arguments."""
    parser = subparsers.add_parser(
        "score",
        help="co-occurrence graph metrics of texts",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="text, CSV, TSV or JSONL file; - is standard input")
    parser.add_argument("--text", metavar="COL", help="column or key that holds the texts")
    parser.add_argument("--id", metavar="COL", help="column or key that names them (default: file and row)")
    parser.add_argument("--encoding", metavar="NAME", help="encoding of the files (default: detected)")
    parser.add_argument("--window", type=int, default=3, help="width of the sliding window, 2 to 10 (default: 3)")
    weighting = parser.add_mutually_exclusive_group()
    weighting.add_argument(
        "--adjacency",
        choices=sorted(_WEIGHTING_OF_ADJACENCY),
        default="binary",
        help="binary edges, or weighted by the number of co-occurrences (default: binary)",
    )
    weighting.add_argument(
        "--weighting", choices=["binary", "count", "ppmi", "npmi"], help="the same choice with two more weights"
    )
    parser.add_argument("--self-loops", action="store_true", help="join a word to itself when it repeats in a window")
    parser.add_argument(
        "--min-length", type=int, default=1, metavar="N", help="shortest token that is kept (default: 1)"
    )
    parser.add_argument("--lemmatise", action="store_true", help="make English plurals singular")
    parser.add_argument(
        "--stopwords",
        default="nltk",
        metavar="nltk|none|FILE",
        help="words to leave out: NLTK's 179 English ones (nltk), its longer list (nltk-english-198), none, or a "
        "file with one word a line (default: nltk)",
    )
    parser.add_argument(
        "--nulls",
        default="none",
        metavar="none|LIST",
        help="null models to compare with, from shuffle,swap,er,configuration (default: none)",
    )
    parser.add_argument("--draws", type=int, default=1000, metavar="N", help="draws a null model (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the draws (default: 0)")
    parser.add_argument("--json", action="store_true", help="JSON also on a terminal")
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    """Score the texts and print them; return 0, or 2 after one line on standard error."""
    try:
        records = _records(arguments)
        if arguments.json or not sys.stdout.isatty():
            for record in records:
                print(json.dumps(record, allow_nan=False), flush=True)
        else:
            from kappagraph.score_table import render_scores

            print(render_scores(list(records)))
    except InputError as error:
        print(f"kappagraph score: {error}", file=sys.stderr)
        return 2
    return 0


def _records(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Check everything, then yield one record a text."""
    settings = _settings(arguments)
    models = _null_models(arguments)
    source = TextSource(text_column=arguments.text, id_column=arguments.id, encoding=arguments.encoding)
    texts = read_texts(arguments.files, source)
    return (_record(text, settings, models, arguments) for text in texts)


def _settings(arguments: argparse.Namespace) -> "GraphSettings":
    from graphs.science.settings import GraphSettings

    try:
        return GraphSettings(
            window=arguments.window,
            stopwords=_stopwords(arguments.stopwords),
            minimum_token_length=arguments.min_length,
            lemmatise=arguments.lemmatise,
            weighting=arguments.weighting or _WEIGHTING_OF_ADJACENCY[arguments.adjacency],
            self_loops=arguments.self_loops,
        )
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def _stopwords(choice: str) -> "StopwordList":
    from graphs.science.stopwords import NO_STOPWORDS, STOPWORD_LISTS, StopwordList, default_stopwords, stopword_list
    from kappagraph.text_decoding import UndecodableError, decode

    if choice == "nltk":
        return default_stopwords()
    if choice == NO_STOPWORDS.name or choice in STOPWORD_LISTS:
        return stopword_list(choice)
    try:
        content, _ = decode(Path(choice).read_bytes())
    except OSError as error:
        known = ", ".join(["nltk", *STOPWORD_LISTS, NO_STOPWORDS.name])
        raise InputError(f"--stopwords {choice}: no file that can be read ({error.strerror}), nor {known}") from None
    except UndecodableError as error:
        raise InputError(f"--stopwords {choice}: {error}") from None
    return StopwordList.from_lines(Path(choice).name, content.splitlines())


def _null_models(arguments: argparse.Namespace) -> list[str]:
    from graphs.science.null_models import NULL_MODELS

    if arguments.draws < 1:
        raise InputError(f"--draws must be at least 1, not {arguments.draws}")
    if arguments.seed < 0:
        raise InputError(f"--seed must be at least 0, not {arguments.seed}")
    if arguments.nulls == "none":
        return []
    models = [name.strip() for name in arguments.nulls.split(",")]
    for name in models:
        if name not in NULL_MODELS:
            raise InputError(f"--nulls {name}: no such null model; there are: {', '.join(NULL_MODELS)}, or none")
    return list(dict.fromkeys(models))


def _record(
    text: InputText, settings: "GraphSettings", models: list[str], arguments: argparse.Namespace
) -> dict[str, Any]:
    from graphs.science.null_comparison import compare_score_with_null
    from graphs.science.score_record import comparison_record, score_record
    from graphs.science.scoring import score_text

    score = score_text(text.text, settings)
    record = score_record(score)
    comparisons = {
        model: compare_score_with_null(score, model, draws=arguments.draws, seed=arguments.seed) for model in models
    }
    options = {
        "adjacency": "binary" if settings.weighting == "binary" else "weighted",
        "nulls": models,
        "draws": arguments.draws,
        "seed": arguments.seed,
    }
    return {
        "id": text.id,
        **record,
        "nulls": {model: comparison_record(each) for model, each in comparisons.items()},
        "null_draws": {
            model: {
                "draws": each.draws,
                "edges_mean": each.edges_mean,
                "edges_sd": each.edges_sd,
                "connected": each.connected,
            }
            for model, each in comparisons.items()
        },
        "settings": record["settings"] | options,
    }
