"""The abstracts of a batch against null models: how far the draws are, and in how many texts a metric stands out."""

from dataclasses import dataclass

from django.db import connection
from django.utils.translation import gettext

from generation.models import Abstract, Batch
from graphs.models import ScoreSettings
from graphs.science.metric_registry import METRICS, Metric
from graphs.science.null_models import NULL_MODELS, NullModel

LEVEL = 0.05


@dataclass(frozen=True)
class MetricTally:
    """Of the texts in which a metric could be compared: how many stand out above and below the draws (Holm, 5 %)."""

    metric: Metric
    compared: int
    above: int
    below: int
    median_z: float | None


@dataclass(frozen=True)
class ModelTally:
    """One null model over the batch."""

    null_model: NullModel
    finished: int
    metrics: list[MetricTally]


@dataclass(frozen=True)
class BatchNulls:
    """Distinct texts of a batch and their comparisons, of `draws` graphs each; all null models taken together."""

    texts: int
    wanted: int
    finished: int
    begun: int
    active: int
    error: str
    models: list[ModelTally]

    @property
    def is_whole(self) -> bool:
        return self.wanted == self.finished


# The newest comparison of each text with each null model.
_COMPARISONS = """
    WITH written AS (
        SELECT DISTINCT abstract.text_id FROM generation_abstract abstract
        JOIN generation_run run ON run.id = abstract.run_id
        JOIN generation_cell cell ON cell.id = run.cell_id
        WHERE cell.batch_id = %(batch)s
    ),
    comparison AS (
        SELECT DISTINCT ON (nulls.text_id, nulls.null_model) nulls.id, nulls.null_model, nulls.metrics
        FROM graphs_nullcomparison nulls JOIN written ON written.text_id = nulls.text_id
        WHERE nulls.settings_id = %(settings)s
        ORDER BY nulls.text_id, nulls.null_model, nulls.id DESC
    )
"""
_PROGRESS = f"""{_COMPARISONS}
    SELECT count(DISTINCT comparison.id), count(DISTINCT comparison.id) FILTER (WHERE metrics IS NOT NULL),
           count(chunk.id) FILTER (WHERE chunk.state IN ('queued', 'running')),
           count(chunk.id) FILTER (WHERE chunk.state = 'cancelled'),
           max(chunk.error) FILTER (WHERE chunk.state = 'failed')
    FROM comparison LEFT JOIN graphs_nullchunk chunk
        ON chunk.comparison_id = comparison.id AND comparison.metrics IS NULL
"""  # noqa: S608  (the parts are written in this module)
_TALLIES = f"""{_COMPARISONS}
    SELECT null_model, figure.key, count(z), count(*) FILTER (WHERE p_holm <= %(level)s AND z > 0),
           count(*) FILTER (WHERE p_holm <= %(level)s AND z < 0),
           percentile_cont(0.5) WITHIN GROUP (ORDER BY z)
    FROM comparison CROSS JOIN LATERAL jsonb_each(metrics) AS figure(key, value)
    CROSS JOIN LATERAL (SELECT (value ->> 'z')::float8 AS z, (value ->> 'p_holm')::float8 AS p_holm) AS read
    WHERE metrics IS NOT NULL
    GROUP BY null_model, figure.key
"""  # noqa: S608
_FINISHED = f"{_COMPARISONS} SELECT null_model, count(*) FROM comparison WHERE metrics IS NOT NULL GROUP BY 1"  # noqa: S608


def batch_nulls(*, batch: Batch, settings: ScoreSettings | None) -> BatchNulls:
    """Four queries, whatever the size of the batch."""
    texts = len(texts_of_batch(batch=batch))
    wanted = texts * len(NULL_MODELS)
    if settings is None:
        return BatchNulls(texts, wanted, 0, 0, 0, "", [])
    parameters = {"batch": batch.pk, "settings": settings.pk, "level": LEVEL}
    with connection.cursor() as cursor:
        cursor.execute(_PROGRESS, parameters)
        begun, done, active, cancelled, failure = cursor.fetchone()
        cursor.execute(_FINISHED, parameters)
        finished = dict(cursor.fetchall())
        cursor.execute(_TALLIES, parameters)
        tallies = {(model, key): tuple(figures) for model, key, *figures in cursor.fetchall()}
    return BatchNulls(
        texts=texts,
        wanted=wanted,
        finished=done,
        begun=begun,
        active=active,
        error=failure or (gettext("it was cancelled") if cancelled and not active else ""),
        models=[
            ModelTally(
                model,
                finished[key],
                [MetricTally(metric, *tallies.get((key, metric.key), (0, 0, 0, None))) for metric in METRICS],
            )
            for key, model in NULL_MODELS.items()
            if key in finished
        ],
    )


def texts_of_batch(*, batch: Batch) -> list[int]:
    """Keys of the distinct texts that a batch has written."""
    written = Abstract.objects.filter(run__cell__batch=batch).order_by("text_id")
    return list(written.values_list("text_id", flat=True).distinct())
