"""How texts were scored."""

from django.db import models
from django.db.models.functions import Now

from graphs.science.settings import GraphSettings
from graphs.science.stopwords import StopwordList, stopword_list


class ScoreSettings(models.Model):
    """How texts become graphs and graphs become numbers (graphs/science/settings.py), by its hash."""

    sha256 = models.CharField(max_length=64, unique=True)
    settings = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "score settings"

    def __str__(self) -> str:
        return self.sha256[:12]

    def as_graph_settings(self) -> GraphSettings:
        """The settings that this row was made from.

        Raises
        ------
        ValueError
            If the scorer has changed since, so that a score made now would not be comparable.
        """
        stored, stopwords = self.settings, self.settings["stopwords"]
        words = stopwords.get("words")
        settings = GraphSettings(
            window=stored["window"],
            stopwords=stopword_list(stopwords["name"])
            if words is None
            else StopwordList(stopwords["name"], frozenset(words)),
            minimum_token_length=stored["minimum_token_length"],
            lemmatise=stored.get("lemmatise", False),
            weighting=stored["weighting"],
            self_loops=stored["self_loops"],
        )
        if settings.digest != self.sha256:
            raise ValueError(
                f"score settings {self} were made for scorer version {stored['scorer_version']}; score the texts anew"
            )
        return settings
