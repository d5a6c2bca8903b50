"""Texts of studies that were launched before there were blocks: each is a block of its own, as its free seats say."""

from django.db import migrations

BLOCKS = """
ALTER TABLE evaluation_item DISABLE TRIGGER item_is_frozen;
UPDATE evaluation_item SET block = shuffled_position WHERE block IS NULL AND shuffled_position IS NOT NULL;
ALTER TABLE evaluation_item ENABLE TRIGGER item_is_frozen;
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0010_blocks_of_texts")]
    operations = [migrations.RunSQL(BLOCKS, migrations.RunSQL.noop)]
