from django.db import migrations, models


class Migration(migrations.Migration):
    """The text before and the text after are looked up with each rating; a reviewer's slots by state are few."""

    dependencies = [
        ("evaluation", "0011_blocks_of_one"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="slot",
            index=models.Index(fields=["reviewer", "position"], name="slot_in_order"),
        ),
        migrations.RemoveIndex(
            model_name="slot",
            name="slot_of_reviewer",
        ),
    ]
