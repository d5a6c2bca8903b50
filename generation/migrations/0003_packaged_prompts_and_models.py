"""A fresh installation offers the three prompts and the models that need no download."""

from django.db import migrations

from generation.science.catalogue import PACKAGED_MODELS
from generation.science.prompts import PROMPTS


def register(apps, schema_editor):
    Prompt = apps.get_model("generation", "Prompt")
    LanguageModel = apps.get_model("generation", "LanguageModel")
    for prompt in PROMPTS:
        wording = {"name": prompt.name, "system": prompt.system, "template": prompt.template}
        Prompt.objects.get_or_create(key=prompt.key, version=prompt.version, defaults=wording)
    for model in PACKAGED_MODELS:
        fields = {"backend": model.backend, "name": model.name, "options": dict(model.options)}
        LanguageModel.objects.get_or_create(key=model.key, revision=model.revision, defaults=fields)


class Migration(migrations.Migration):
    dependencies = [("generation", "0002_immutable_provenance")]
    operations = [migrations.RunPython(register, migrations.RunPython.noop)]
