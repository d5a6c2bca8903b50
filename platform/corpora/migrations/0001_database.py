"""What every table rests on: pgvector, and the trigger function behind the tables that never change."""

from django.db import migrations
from pgvector.django import VectorExtension

REFUSE_CHANGE = """
CREATE FUNCTION kappagraph_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is refused on %: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        # An existing extension is left alone, so the application's role needs no superuser rights.
        VectorExtension(),
        migrations.RunSQL(REFUSE_CHANGE, "DROP FUNCTION kappagraph_refuse_change()"),
    ]
