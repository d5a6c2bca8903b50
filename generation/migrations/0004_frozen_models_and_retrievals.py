"""What a generated text rests on stays: a language model's options, and the list that a cell retrieved."""

from django.db import migrations

FORWARD = """
CREATE TRIGGER language_model_is_frozen BEFORE UPDATE ON generation_languagemodel FOR EACH ROW
    WHEN ((OLD.key, OLD.revision, OLD.backend, OLD.options) IS DISTINCT FROM
          (NEW.key, NEW.revision, NEW.backend, NEW.options))
    EXECUTE FUNCTION kappagraph_refuse_change('a language model is frozen; store a new revision');
CREATE TRIGGER cell_keeps_its_retrieval BEFORE UPDATE ON generation_cell FOR EACH ROW
    WHEN (OLD.retrieval_id IS NOT NULL AND NEW.retrieval_id IS DISTINCT FROM OLD.retrieval_id)
    EXECUTE FUNCTION kappagraph_refuse_change('the retrieval of a cell is frozen');
"""
BACKWARD = """
DROP TRIGGER language_model_is_frozen ON generation_languagemodel;
DROP TRIGGER cell_keeps_its_retrieval ON generation_cell;
"""


class Migration(migrations.Migration):
    dependencies = [("generation", "0003_packaged_prompts_and_models")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
