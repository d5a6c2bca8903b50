"""A range over a corpus, kept as it is today."""

from django.utils.translation import gettext as _

from corpora.models import Corpus
from graphs import selectors
from graphs.models import ReferenceRange, ScoreSettings


def freeze_reference_range(*, corpus: Corpus, settings: ScoreSettings) -> ReferenceRange:
    """Store the smallest and largest value of each metric over a corpus; texts without a metric are left out.

    A range that nothing has changed since is not stored twice.

    Raises
    ------
    ValueError
        If a text of the corpus has no score yet, or fewer than two have every metric.
    """
    found = selectors.corpus_range(corpus=corpus, settings=settings)
    if found.unscored:
        raise ValueError(
            _("%(number)d texts of %(corpus)s are not scored yet: score the corpus first.")
            % {"number": found.unscored, "corpus": corpus.name}
        )
    if found.texts < 2:
        raise ValueError(
            _("%(corpus)s has fewer than two texts with all metrics: there is no range to freeze.")
            % {"corpus": corpus.name}
        )
    axes = {axis: list(ends) for axis, ends in found.axes.items()}
    newest = selectors.reference_ranges(settings=settings).filter(corpus=corpus).first()
    if newest and (newest.axes, newest.texts, newest.left_out) == (axes, found.texts, found.left_out):
        return newest
    return ReferenceRange.objects.create(
        corpus=corpus, settings=settings, axes=axes, texts=found.texts, left_out=found.left_out
    )
