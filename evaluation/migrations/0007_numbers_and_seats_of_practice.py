"""People are numbered as they come, later revisions only add, drafts alone change, and seats fit what kind a text is."""

from django.db import migrations

NUMBERS = """
CREATE FUNCTION kappagraph_number_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number = 0 THEN
        -- Whoever joins at the same moment waits, so that two never get one number.
        PERFORM pg_advisory_xact_lock(hashtextextended('evaluation_membership', NEW.study_id));
        SELECT coalesce(max(number), 0) + 1 INTO NEW.number
            FROM evaluation_membership WHERE study_id = NEW.study_id;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER membership_is_numbered BEFORE INSERT ON evaluation_membership FOR EACH ROW
    EXECUTE FUNCTION kappagraph_number_member();
"""
NUMBERS_BACK = """
DROP TRIGGER membership_is_numbered ON evaluation_membership;
DROP FUNCTION kappagraph_number_member();
"""

APPEND_ONLY = """
CREATE TRIGGER open_answer_is_append_only BEFORE UPDATE OR DELETE ON evaluation_openanswer FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('answers are append-only; store a new revision');
CREATE TRIGGER confidence_is_append_only BEFORE UPDATE OR DELETE ON evaluation_confidence FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('answers are append-only; store a new revision');
CREATE TRIGGER highlight_is_append_only BEFORE UPDATE OR DELETE ON evaluation_highlight FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('answers are append-only; store a new revision');
CREATE TRIGGER adjudication_is_append_only BEFORE UPDATE OR DELETE ON evaluation_adjudication FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('adjudications are append-only; store a new revision');
CREATE TRIGGER event_is_append_only BEFORE DELETE OR UPDATE OF study_id, kind, details, created_at
    ON evaluation_event FOR EACH ROW
    EXECUTE FUNCTION kappagraph_refuse_change('what happened to a study stays on record');

ALTER TABLE evaluation_adjudication ADD CONSTRAINT adjudication_level_of_criterion
    FOREIGN KEY (level_id, criterion_id) REFERENCES evaluation_level (id, criterion_id);
ALTER TABLE evaluation_expectation ADD CONSTRAINT expectation_level_of_criterion
    FOREIGN KEY (level_id, criterion_id) REFERENCES evaluation_level (id, criterion_id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

CREATE TRIGGER open_answer_fits_study BEFORE INSERT ON evaluation_openanswer FOR EACH ROW
    EXECUTE FUNCTION kappagraph_rating_fits_study();
CREATE TRIGGER highlight_fits_study BEFORE INSERT ON evaluation_highlight FOR EACH ROW
    EXECUTE FUNCTION kappagraph_rating_fits_study();

CREATE FUNCTION kappagraph_item_fits_criterion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM evaluation_item item
        JOIN evaluation_criterion criterion ON criterion.study_id = item.study_id
        WHERE item.id = NEW.item_id AND criterion.id = NEW.criterion_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'criterion % belongs to another study than item %', NEW.criterion_id, NEW.item_id
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER adjudication_fits_study BEFORE INSERT ON evaluation_adjudication FOR EACH ROW
    EXECUTE FUNCTION kappagraph_item_fits_criterion();
CREATE TRIGGER expectation_fits_study BEFORE INSERT OR UPDATE ON evaluation_expectation FOR EACH ROW
    EXECUTE FUNCTION kappagraph_item_fits_criterion();
"""
APPEND_ONLY_BACK = """
DROP TRIGGER expectation_fits_study ON evaluation_expectation;
DROP TRIGGER adjudication_fits_study ON evaluation_adjudication;
DROP FUNCTION kappagraph_item_fits_criterion();
DROP TRIGGER highlight_fits_study ON evaluation_highlight;
DROP TRIGGER open_answer_fits_study ON evaluation_openanswer;
ALTER TABLE evaluation_expectation DROP CONSTRAINT expectation_level_of_criterion;
ALTER TABLE evaluation_adjudication DROP CONSTRAINT adjudication_level_of_criterion;
DROP TRIGGER event_is_append_only ON evaluation_event;
DROP TRIGGER adjudication_is_append_only ON evaluation_adjudication;
DROP TRIGGER highlight_is_append_only ON evaluation_highlight;
DROP TRIGGER confidence_is_append_only ON evaluation_confidence;
DROP TRIGGER open_answer_is_append_only ON evaluation_openanswer;
"""

FROZEN = """
CREATE FUNCTION kappagraph_anchor_of_draft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kappagraph_study_is_draft((
        SELECT criterion.study_id FROM evaluation_level level
        JOIN evaluation_criterion criterion ON criterion.id = level.criterion_id
        WHERE level.id = CASE WHEN TG_OP = 'DELETE' THEN OLD.level_id ELSE NEW.level_id END), 'examples');
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER anchor_is_frozen BEFORE INSERT OR UPDATE OR DELETE ON evaluation_anchor FOR EACH ROW
    EXECUTE FUNCTION kappagraph_anchor_of_draft();

CREATE FUNCTION kappagraph_expectation_of_draft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM kappagraph_study_is_draft((
        SELECT item.study_id FROM evaluation_item item
        WHERE item.id = CASE WHEN TG_OP = 'DELETE' THEN OLD.item_id ELSE NEW.item_id END), 'expected levels');
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER expectation_is_frozen BEFORE INSERT OR UPDATE OR DELETE ON evaluation_expectation FOR EACH ROW
    EXECUTE FUNCTION kappagraph_expectation_of_draft();

CREATE OR REPLACE FUNCTION kappagraph_study_stays_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'draft' AND (NEW.state = 'draft' OR NEW.frozen_sha256 <> OLD.frozen_sha256
            OR NEW.order_seed <> OLD.order_seed OR NEW.instructions <> OLD.instructions
            OR NEW.raters_per_item <> OLD.raters_per_item OR NEW.item_count <> OLD.item_count
            OR NEW.asks_confidence <> OLD.asks_confidence OR NEW.allows_highlights <> OLD.allows_highlights
            OR NEW.asks_authorship <> OLD.asks_authorship OR NEW.repeats <> OLD.repeats
            OR NEW.repeat_distance <> OLD.repeat_distance OR NEW.attention_every <> OLD.attention_every
            OR NEW.consent <> OLD.consent OR NEW.agreement_from <> OLD.agreement_from) THEN
        RAISE EXCEPTION 'study % is launched: its protocol is frozen; make a new version', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
FROZEN_BACK = """
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
DROP TRIGGER expectation_is_frozen ON evaluation_expectation;
DROP FUNCTION kappagraph_expectation_of_draft();
DROP TRIGGER anchor_is_frozen ON evaluation_anchor;
DROP FUNCTION kappagraph_anchor_of_draft();
"""

# Practice texts and attention checks are given to everyone: there a seat is the person's number in the study.
SEATS = """
CREATE OR REPLACE FUNCTION kappagraph_seat_fits_study() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE found_state text; found_kind text; raters integer;
BEGIN
    SELECT study.state, study.raters_per_item, item.kind INTO found_state, raters, found_kind
        FROM evaluation_item item JOIN evaluation_study study ON study.id = item.study_id WHERE item.id = NEW.item_id;
    IF found_state = 'draft' THEN
        RAISE EXCEPTION 'item % is of a draft study: launch it before seats are given', NEW.item_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF found_kind = 'rated' AND NEW.seat >= raters THEN
        RAISE EXCEPTION 'seat % of item % is beyond its % raters', NEW.seat, NEW.item_id, raters
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
"""
SEATS_BACK = """
CREATE OR REPLACE FUNCTION kappagraph_seat_fits_study() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0006_people_practice_and_repeats")]
    operations = [
        migrations.RunSQL(NUMBERS, NUMBERS_BACK),
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_BACK),
        migrations.RunSQL(FROZEN, FROZEN_BACK),
        migrations.RunSQL(SEATS, SEATS_BACK),
    ]
