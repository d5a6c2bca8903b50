"""Score settings are stored once, by the hash that identifies them."""

from graphs.models import ScoreSettings
from graphs.science.settings import GraphSettings
from graphs.science.stopwords import NO_STOPWORDS, STOPWORD_LISTS, stopword_list


def ensure_settings(*, settings: GraphSettings) -> ScoreSettings:
    """The row of these settings, stored now if they are new."""
    row, _ = ScoreSettings.objects.get_or_create(sha256=settings.digest, defaults={"settings": _plain(settings)})
    return row


def ensure_default_settings() -> ScoreSettings:
    """The row of the settings that everything is scored under unless somebody asks for others."""
    return ensure_settings(settings=GraphSettings())


def _plain(settings: GraphSettings) -> dict[str, object]:
    plain, stopwords = settings.as_dict(), settings.stopwords
    comes_along = stopwords.name in (*STOPWORD_LISTS, NO_STOPWORDS.name)
    if not comes_along or stopword_list(stopwords.name) != stopwords:
        # Somebody's own list: without its words the settings could not be used again.
        plain["stopwords"] = plain["stopwords"] | {"words": sorted(stopwords.words)}
    return plain
