"""Texts and retrieval lists never change: generated texts, scores and ratings rest on them."""

from django.db import migrations

FORWARD = """
CREATE TRIGGER text_is_immutable BEFORE UPDATE ON corpora_text FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('a stored text is immutable');
CREATE TRIGGER retrieved_is_immutable BEFORE UPDATE ON corpora_retrieved FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('a retrieval list is frozen');
"""
BACKWARD = """
DROP TRIGGER text_is_immutable ON corpora_text;
DROP TRIGGER retrieved_is_immutable ON corpora_retrieved;
"""


class Migration(migrations.Migration):
    dependencies = [("corpora", "0002_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
