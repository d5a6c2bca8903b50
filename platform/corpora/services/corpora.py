"""Make corpora."""

from django.contrib.auth.models import AbstractBaseUser

from corpora.models import Corpus


def create_corpus(
    *, name: str, description: str = "", is_synthetic: bool = False, created_by: AbstractBaseUser | None = None
) -> Corpus:
    return Corpus.objects.create(
        name=name,
        description=description,
        is_synthetic=is_synthetic,
        created_by_id=created_by.pk if created_by else None,
    )
