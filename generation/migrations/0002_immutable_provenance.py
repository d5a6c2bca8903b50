"""Prompts and generated abstracts never change: a new wording is a new version."""

from django.db import migrations

FORWARD = """
CREATE TRIGGER prompt_is_immutable BEFORE UPDATE ON generation_prompt FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('a prompt is frozen; store a new version');
CREATE TRIGGER abstract_is_immutable BEFORE UPDATE ON generation_abstract FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('a generated abstract is immutable');
"""
BACKWARD = """
DROP TRIGGER prompt_is_immutable ON generation_prompt;
DROP TRIGGER abstract_is_immutable ON generation_abstract;
"""


class Migration(migrations.Migration):
    dependencies = [("generation", "0001_initial"), ("corpora", "0001_database")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
