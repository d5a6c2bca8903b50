"""Rules that hold whatever the application does: ratings are append-only and fit their scale, launched studies are frozen."""

from django.db import migrations

RATINGS = """
CREATE TRIGGER rating_is_append_only BEFORE UPDATE OR DELETE ON evaluation_rating FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('ratings are append-only; store a new revision');
CREATE TRIGGER submission_is_append_only BEFORE UPDATE OR DELETE ON evaluation_submission FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('submissions are append-only');

ALTER TABLE evaluation_rating ADD CONSTRAINT rating_level_of_criterion
    FOREIGN KEY (level_id, criterion_id) REFERENCES evaluation_level (id, criterion_id);

CREATE FUNCTION kappagraph_rating_fits_study() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM evaluation_slot slot
        JOIN evaluation_item item ON item.id = slot.item_id
        JOIN evaluation_criterion criterion ON criterion.study_id = item.study_id
        WHERE slot.id = NEW.slot_id AND criterion.id = NEW.criterion_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'criterion % belongs to another study than slot %', NEW.criterion_id, NEW.slot_id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER rating_fits_study BEFORE INSERT ON evaluation_rating FOR EACH ROW
    EXECUTE FUNCTION kappagraph_rating_fits_study();
"""
RATINGS_BACK = """
DROP TRIGGER rating_fits_study ON evaluation_rating;
DROP FUNCTION kappagraph_rating_fits_study();
ALTER TABLE evaluation_rating DROP CONSTRAINT rating_level_of_criterion;
DROP TRIGGER submission_is_append_only ON evaluation_submission;
DROP TRIGGER rating_is_append_only ON evaluation_rating;
"""

# Items, criteria and levels of a study that is no longer a draft stay as they are.
FROZEN = """
CREATE FUNCTION kappagraph_study_is_draft(study bigint, what text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE found_state text;
BEGIN
    SELECT state INTO found_state FROM evaluation_study WHERE id = study;
    IF found_state <> 'draft' THEN
        RAISE EXCEPTION 'study % is launched: its % are frozen; make a new version', study, what
            USING ERRCODE = 'restrict_violation';
    END IF;
END $$;

CREATE FUNCTION kappagraph_refuse_launched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'evaluation_level' THEN
        IF TG_OP <> 'DELETE' THEN
            PERFORM kappagraph_study_is_draft((SELECT study_id FROM evaluation_criterion WHERE id = NEW.criterion_id), 'levels');
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM kappagraph_study_is_draft((SELECT study_id FROM evaluation_criterion WHERE id = OLD.criterion_id), 'levels');
        END IF;
    ELSE
        IF TG_OP <> 'DELETE' THEN
            PERFORM kappagraph_study_is_draft(NEW.study_id, TG_ARGV[0]);
        END IF;
        IF TG_OP <> 'INSERT' THEN
            PERFORM kappagraph_study_is_draft(OLD.study_id, TG_ARGV[0]);
        END IF;
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER item_is_frozen BEFORE INSERT OR UPDATE OR DELETE ON evaluation_item FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_launched('items');
CREATE TRIGGER criterion_is_frozen BEFORE INSERT OR UPDATE OR DELETE ON evaluation_criterion FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_launched('criteria');
CREATE TRIGGER level_is_frozen BEFORE INSERT OR UPDATE OR DELETE ON evaluation_level FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_launched('levels');

CREATE FUNCTION kappagraph_study_stays_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'draft' AND (NEW.state = 'draft' OR NEW.frozen_sha256 <> OLD.frozen_sha256
            OR NEW.order_seed <> OLD.order_seed OR NEW.instructions <> OLD.instructions) THEN
        RAISE EXCEPTION 'study % is launched: its protocol is frozen; make a new version', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER study_stays_frozen BEFORE UPDATE ON evaluation_study FOR EACH ROW
    EXECUTE FUNCTION kappagraph_study_stays_frozen();
"""
FROZEN_BACK = """
DROP TRIGGER study_stays_frozen ON evaluation_study;
DROP FUNCTION kappagraph_study_stays_frozen();
DROP TRIGGER level_is_frozen ON evaluation_level;
DROP TRIGGER criterion_is_frozen ON evaluation_criterion;
DROP TRIGGER item_is_frozen ON evaluation_item;
DROP FUNCTION kappagraph_refuse_launched();
DROP FUNCTION kappagraph_study_is_draft(bigint, text);
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0001_initial"), ("corpora", "0001_database")]
    operations = [migrations.RunSQL(RATINGS, RATINGS_BACK), migrations.RunSQL(FROZEN, FROZEN_BACK)]
