"""A seat number stays below the study's raters per item, seats are given in launched studies only, and a launch fixes k."""

from django.db import migrations

SEATS = """
CREATE FUNCTION kappagraph_seat_fits_study() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE found_state text; raters integer;
BEGIN
    SELECT study.state, study.raters_per_item INTO found_state, raters
        FROM evaluation_item item JOIN evaluation_study study ON study.id = item.study_id WHERE item.id = NEW.item_id;
    IF found_state = 'draft' THEN
        RAISE EXCEPTION 'item % is of a draft study: launch it before seats are given', NEW.item_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.seat >= raters THEN
        RAISE EXCEPTION 'seat % of item % is beyond its % raters', NEW.seat, NEW.item_id, raters
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_seat_fits_study BEFORE INSERT OR UPDATE OF seat, item_id ON evaluation_slot FOR EACH ROW
    EXECUTE FUNCTION kappagraph_seat_fits_study();
"""
SEATS_BACK = """
DROP TRIGGER slot_seat_fits_study ON evaluation_slot;
DROP FUNCTION kappagraph_seat_fits_study();
"""

STUDY = """
CREATE OR REPLACE FUNCTION kappagraph_study_stays_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'draft' AND (NEW.state = 'draft' OR NEW.frozen_sha256 <> OLD.frozen_sha256
            OR NEW.order_seed <> OLD.order_seed OR NEW.instructions <> OLD.instructions
            OR NEW.raters_per_item <> OLD.raters_per_item OR NEW.item_count <> OLD.item_count) THEN
        RAISE EXCEPTION 'study % is launched: its protocol is frozen; make a new version', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
STUDY_BACK = """
CREATE OR REPLACE FUNCTION kappagraph_study_stays_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'draft' AND (NEW.state = 'draft' OR NEW.frozen_sha256 <> OLD.frozen_sha256
            OR NEW.order_seed <> OLD.order_seed OR NEW.instructions <> OLD.instructions) THEN
        RAISE EXCEPTION 'study % is launched: its protocol is frozen; make a new version', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0003_seats_and_order")]
    operations = [migrations.RunSQL(SEATS, SEATS_BACK), migrations.RunSQL(STUDY, STUDY_BACK)]
