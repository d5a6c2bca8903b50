"""The SQL that stores what a reviewer sent, put together from parts (see `storing`)."""

from functools import lru_cache

__all__ = ["storing_statement"]

_LEVELS = """
    WITH scale AS MATERIALIZED (
        SELECT id, key, name, kind, position, is_required, minimum, maximum
        FROM evaluation_criterion WHERE study_id = %(study)s
    ),
    given AS (SELECT * FROM jsonb_to_recordset(%(levels)s::jsonb) AS sent(key text, index int, seen int)),
    in_force AS (
        SELECT DISTINCT ON (criterion_id) criterion_id, level_id, revision
        FROM evaluation_rating WHERE slot_id = %(slot)s ORDER BY criterion_id, revision DESC
    ),
    chosen AS (
        SELECT scale.id AS criterion_id, scale.key, level.id AS level_id, level.label, in_force.level_id AS held,
               coalesce(in_force.revision, 0) AS revision,
               CASE WHEN in_force.revision > given.seen THEN coalesce(level.id = (
                    SELECT base.level_id FROM evaluation_rating base WHERE base.slot_id = %(slot)s
                    AND base.criterion_id = scale.id AND base.revision = given.seen), false) END AS is_untouched
        FROM given JOIN scale ON scale.key = given.key
        JOIN evaluation_level level ON level.criterion_id = scale.id AND level.index = given.index
        LEFT JOIN in_force ON in_force.criterion_id = scale.id
    ),
    said AS (
        SELECT count(*) AS revision, coalesce((array_agg(body ORDER BY id DESC))[1], '') AS body
        FROM evaluation_comment WHERE slot_id = %(slot)s
    ),
    commented AS (
        SELECT said.revision, said.body AS held, %(comment)s::text AS body,
               CASE WHEN said.revision > %(seen_comment)s::int THEN %(comment)s::text = coalesce((
                    SELECT body FROM evaluation_comment WHERE slot_id = %(slot)s ORDER BY id
                    OFFSET greatest(%(seen_comment)s::int - 1, 0) LIMIT least(%(seen_comment)s::int, 1)), '')
               END AS is_untouched
        FROM said WHERE %(comment)s::text IS NOT NULL
    ),"""

_OPEN = """
    opening AS (
        SELECT scale.id AS criterion_id, scale.kind || '-' || scale.key AS field, sent.seen,
               CASE WHEN scale.kind = 'number' THEN (sent.value #>> '{}')::float8 END AS number,
               CASE WHEN scale.kind = 'words' THEN sent.value #>> '{}' ELSE '' END AS words
        FROM jsonb_to_recordset(%(opened)s::jsonb) AS sent(key text, value jsonb, seen int)
        JOIN scale ON scale.key = sent.key
        WHERE (scale.kind = 'words' AND jsonb_typeof(sent.value) = 'string')
           OR (scale.kind = 'number' AND (sent.value IS NULL OR jsonb_typeof(sent.value) = 'null'))
           OR (scale.kind = 'number' AND jsonb_typeof(sent.value) = 'number'
               AND (sent.value #>> '{}')::float8 BETWEEN coalesce(scale.minimum, '-infinity')
                                                     AND coalesce(scale.maximum, 'infinity'))
    ),
    open_in_force AS (
        SELECT DISTINCT ON (criterion_id) criterion_id, number, words, revision
        FROM evaluation_openanswer WHERE slot_id = %(slot)s ORDER BY criterion_id, revision DESC
    ),
    opened AS (
        SELECT opening.*, held.number AS held_number, coalesce(held.words, '') AS held_words,
               coalesce(held.revision, 0) AS revision,
               opening.number IS NOT DISTINCT FROM held.number
                   AND opening.words = coalesce(held.words, '') AS is_same,
               CASE WHEN held.revision > opening.seen THEN CASE WHEN opening.seen = 0
                    THEN opening.number IS NULL AND opening.words = ''
                    ELSE EXISTS (SELECT FROM evaluation_openanswer base WHERE base.slot_id = %(slot)s
                        AND base.criterion_id = opening.criterion_id AND base.revision = opening.seen
                        AND base.number IS NOT DISTINCT FROM opening.number AND base.words = opening.words)
                    END END AS is_untouched
        FROM opening LEFT JOIN open_in_force held ON held.criterion_id = opening.criterion_id
    ),"""

_SURE = """
    sure AS (
        SELECT %(confidence)s::int AS value, held.value AS held, coalesce(held.revision, 0) AS revision,
               CASE WHEN held.revision > %(seen_confidence)s::int THEN coalesce(%(confidence)s::int = (
                    SELECT base.value FROM evaluation_confidence base
                    WHERE base.slot_id = %(slot)s AND base.revision = %(seen_confidence)s::int), false)
               END AS is_untouched
        FROM (SELECT 1) AS one LEFT JOIN LATERAL (
            SELECT value, revision FROM evaluation_confidence WHERE slot_id = %(slot)s ORDER BY revision DESC LIMIT 1
        ) AS held ON true
        WHERE %(confidence)s::int IS NOT NULL
    ),"""

_MARKS = """
    marked AS (
        SELECT scale.id AS criterion_id, scale.key, sent.spans, coalesce(held.spans, '[]') AS held,
               coalesce(held.revision, 0) AS revision,
               CASE WHEN held.revision > sent.seen THEN sent.spans = coalesce((
                    SELECT base.spans FROM evaluation_highlight base WHERE base.slot_id = %(slot)s
                    AND base.criterion_id = scale.id AND base.revision = sent.seen), '[]') END AS is_untouched
        FROM jsonb_to_recordset(%(marks)s::jsonb) AS sent(key text, spans jsonb, seen int)
        JOIN scale ON scale.key = sent.key
        LEFT JOIN LATERAL (
            SELECT spans, revision FROM evaluation_highlight
            WHERE slot_id = %(slot)s AND criterion_id = scale.id ORDER BY revision DESC LIMIT 1
        ) AS held ON true
    ),"""

_COUNTED = """
    overtaken AS (
        SELECT jsonb_agg(entry ORDER BY place) FILTER (WHERE NOT is_untouched) AS them,
               jsonb_agg(entry ORDER BY place) FILTER (WHERE is_untouched) AS untouched
        FROM (
            SELECT place, is_untouched, jsonb_build_object(
                'field', field, 'revision', revision, 'value', value, 'shown', shown, 'here', here) AS entry
            FROM (
            SELECT 'level-' || chosen.key AS field, chosen.revision, level.index::text AS value, level.label AS shown,
                   chosen.label AS here, chosen.is_untouched, 1 AS place
            FROM chosen JOIN evaluation_level level ON level.id = chosen.held
            WHERE chosen.is_untouched IS NOT NULL AND chosen.held <> chosen.level_id
            UNION ALL
            SELECT 'comment', revision, held, held, body, is_untouched, 9
            FROM commented WHERE is_untouched IS NOT NULL AND held <> body
            {overtaken}
            ) AS named
        ) AS newer
    ),
    counted AS (
        SELECT (SELECT count(*) FROM chosen) = (SELECT count(*) FROM given) {fits} AS fits,
               (SELECT count(*) FROM scale WHERE is_required) AS criteria,
               (SELECT count(*) FROM scale WHERE is_required AND (
                    EXISTS (SELECT FROM chosen WHERE chosen.criterion_id = scale.id)
                    OR EXISTS (SELECT FROM in_force WHERE in_force.criterion_id = scale.id) {answered})) AS answered,
               (SELECT them FROM overtaken) AS overtaken,
               EXISTS (SELECT FROM evaluation_submission WHERE key = %(key)s) AS is_known
    ),
    submitted AS (
        INSERT INTO evaluation_submission (key, slot_id, answered, criteria, created_at)
        SELECT %(key)s, %(slot)s, answered, criteria, clock_timestamp() FROM counted WHERE fits AND overtaken IS NULL
        ON CONFLICT (key) DO NOTHING RETURNING key
    ),
    revised AS (
        INSERT INTO evaluation_rating (slot_id, criterion_id, level_id, revision, submission_id, created_at)
        SELECT %(slot)s, chosen.criterion_id, chosen.level_id, chosen.revision + 1, submitted.key, clock_timestamp()
        FROM submitted CROSS JOIN chosen WHERE held IS DISTINCT FROM level_id AND is_untouched IS NULL
    ),
    remarked AS (
        INSERT INTO evaluation_comment (slot_id, body, created_at)
        SELECT %(slot)s, body, clock_timestamp() FROM submitted CROSS JOIN commented
        WHERE body <> held AND is_untouched IS NULL
    ),
    {revised}
    moved AS (
        UPDATE evaluation_slot AS slot
        SET seconds_active = slot.seconds_active + %(seconds)s,
            state = CASE WHEN slot.state = 'claimed' AND counted.answered = counted.criteria THEN 'rated'
                         ELSE slot.state END,
            lease_expires_at = CASE WHEN slot.state = 'claimed' AND counted.answered < counted.criteria
                                    THEN clock_timestamp() + make_interval(mins => %(minutes)s) END,
            answered_at = CASE WHEN counted.answered = counted.criteria
                               THEN coalesce(slot.answered_at, clock_timestamp()) END
        FROM counted, submitted WHERE slot.id = %(slot)s
    ),
    seen AS (
        -- Once a minute. A membership that is just being worked on is passed over, not waited for: a claim holds its
        -- lock while it waits for slots, and this statement holds a slot.
        UPDATE evaluation_membership AS member SET seen_at = clock_timestamp()
        FROM (
            SELECT held.id FROM evaluation_membership held, submitted
            WHERE held.study_id = %(study)s AND held.user_id = %(reviewer)s
              AND (held.seen_at IS NULL OR held.seen_at < clock_timestamp() - interval '1 minute')
            FOR NO KEY UPDATE OF held SKIP LOCKED
        ) AS due WHERE member.id = due.id
    )
    SELECT fits, is_known, EXISTS (SELECT FROM submitted), criteria, answered,
           coalesce(overtaken, '[]'),
           (SELECT jsonb_object_agg(field, revision) FROM (
                SELECT 'level-' || key AS field,
                       revision + (held IS DISTINCT FROM level_id AND is_untouched IS NULL)::int AS revision
                FROM chosen WHERE is_untouched IS NULL OR held = level_id
                UNION ALL
                SELECT 'comment', revision + (body <> held AND is_untouched IS NULL)::int
                FROM commented WHERE is_untouched IS NULL OR held = body
                {revisions}
           ) AS now_in_force),
           (SELECT untouched FROM overtaken)
    FROM counted
"""

_PARTS = {
    "open": {
        "overtaken": """
            UNION ALL
            SELECT field, revision, coalesce(held_number::text, held_words),
                   coalesce(held_number::text, held_words), coalesce(number::text, words), is_untouched, 2
            FROM opened WHERE is_untouched IS NOT NULL AND NOT is_same""",
        "fits": "AND (SELECT count(*) FROM opening) = jsonb_array_length(%(opened)s::jsonb)",
        "answered": """
                    OR EXISTS (SELECT FROM opened WHERE opened.criterion_id = scale.id AND is_untouched IS NOT TRUE
                               AND (number IS NOT NULL OR words <> ''))
                    OR EXISTS (SELECT FROM open_in_force held WHERE held.criterion_id = scale.id
                               AND (held.number IS NOT NULL OR held.words <> '')
                               AND NOT EXISTS (SELECT FROM opened WHERE opened.criterion_id = scale.id
                                               AND is_untouched IS NOT TRUE))""",
        "revised": """
    reopened AS (
        INSERT INTO evaluation_openanswer (slot_id, criterion_id, number, words, revision, submission_id, created_at)
        SELECT %(slot)s, criterion_id, number, words, revision + 1, submitted.key, clock_timestamp()
        FROM submitted CROSS JOIN opened WHERE NOT is_same AND is_untouched IS NULL
    ),""",
        "revisions": """
                UNION ALL
                SELECT field, revision + (NOT is_same AND is_untouched IS NULL)::int
                FROM opened WHERE is_untouched IS NULL OR is_same""",
    },
    "sure": {
        "overtaken": """
            UNION ALL
            SELECT 'confidence', revision, held::text, held::text, value::text, is_untouched, 3
            FROM sure WHERE is_untouched IS NOT NULL AND held <> value""",
        "revised": """
    resured AS (
        INSERT INTO evaluation_confidence (slot_id, value, revision, submission_id, created_at)
        SELECT %(slot)s, value, revision + 1, submitted.key, clock_timestamp()
        FROM submitted CROSS JOIN sure WHERE value IS DISTINCT FROM held AND is_untouched IS NULL
    ),""",
        "revisions": """
                UNION ALL
                SELECT 'confidence', revision + (value IS DISTINCT FROM held AND is_untouched IS NULL)::int
                FROM sure WHERE is_untouched IS NULL OR held = value""",
    },
    "marks": {
        "overtaken": """
            UNION ALL
            SELECT 'marks-' || key, revision, held::text, held::text, spans::text, is_untouched, 4
            FROM marked WHERE is_untouched IS NOT NULL AND held <> spans""",
        "fits": "AND (SELECT count(*) FROM marked) = jsonb_array_length(%(marks)s::jsonb)",
        "revised": """
    remarked_text AS (
        INSERT INTO evaluation_highlight (slot_id, criterion_id, spans, revision, submission_id, created_at)
        SELECT %(slot)s, criterion_id, spans, revision + 1, submitted.key, clock_timestamp()
        FROM submitted CROSS JOIN marked WHERE spans <> held AND is_untouched IS NULL
    ),""",
        "revisions": """
                UNION ALL
                SELECT 'marks-' || key, revision + (spans <> held AND is_untouched IS NULL)::int
                FROM marked WHERE is_untouched IS NULL OR held = spans""",
    },
}
_TABLES = {"open": _OPEN, "sure": _SURE, "marks": _MARKS}
_PLACES = ("overtaken", "fits", "answered", "revised", "revisions")


@lru_cache(maxsize=16)
def storing_statement(parts: tuple[str, ...]) -> str:
    """The statement of a study that asks for these parts besides levels and a comment: "open", "sure", "marks"."""
    text = _LEVELS + "".join(_TABLES[part] for part in parts) + _COUNTED
    for slot in _PLACES:
        text = text.replace(f"{{{slot}}}", "".join(_PARTS[part].get(slot, "") for part in parts))
    return text
