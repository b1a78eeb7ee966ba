CREATE TABLE arreio.dead_letters_more (
    letter   bigint PRIMARY KEY REFERENCES arreio.dead_letters ON DELETE CASCADE,
    messages bigint NOT NULL,
    last_at  timestamptz NOT NULL
);
COMMENT ON TABLE arreio.dead_letters_more IS
    'How many malformed messages came after a letter while its subject or consumer had as many open ones as are kept.';

-- Anybody who may ask JetStream can make malformed messages, so of these only so many are kept; of what could be handled
-- once something is mended, all. A consumer's workers may go past the bound by one each.
CREATE OR REPLACE FUNCTION arreio.dead_letter(
    p_consumer text, p_subject text, p_message_id text, p_code text, p_field text, p_problem text, p_headers jsonb,
    p_body bytea, p_deliveries integer
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = arreio, pg_temp AS $$
DECLARE
    v_id bigint;
    v_open bigint;
    v_alike bigint;
BEGIN
    IF p_code IN ('contract', 'invalid_subject', 'invalid_envelope', 'unknown_type', 'invalid_body') THEN
        SELECT count(*), count(*) FILTER (WHERE d.subject = p_subject),
               coalesce(max(d.id) FILTER (WHERE d.subject = p_subject), max(d.id))
        INTO v_open, v_alike, v_id
        FROM arreio.dead_letters d
        WHERE d.source = 'consumer' AND d.resolved_at IS NULL AND d.consumer = p_consumer
          AND d.code IN ('contract', 'invalid_subject', 'invalid_envelope', 'unknown_type', 'invalid_body');
        IF (v_alike >= 100 OR v_open >= 1000) AND NOT EXISTS (
            SELECT FROM arreio.dead_letters d
            WHERE d.source = 'consumer' AND d.resolved_at IS NULL AND d.consumer = p_consumer
              AND d.message_id = p_message_id)
        THEN
            INSERT INTO arreio.dead_letters_more AS m VALUES (v_id, 1, clock_timestamp())
            ON CONFLICT (letter) DO UPDATE SET messages = m.messages + 1, last_at = excluded.last_at;
            RETURN -v_id;
        END IF;
    END IF;
    INSERT INTO arreio.dead_letters AS d (source, consumer, subject, message_id, code, field, problem, headers, body, deliveries)
    VALUES ('consumer', p_consumer, p_subject, p_message_id, p_code, p_field, p_problem, p_headers, p_body, p_deliveries)
    ON CONFLICT (consumer, message_id) WHERE source = 'consumer' AND resolved_at IS NULL
    DO UPDATE SET problem = excluded.problem, code = excluded.code, field = excluded.field, deliveries = excluded.deliveries
    RETURNING d.id INTO v_id;
    RETURN v_id;
END $$;
COMMENT ON FUNCTION arreio.dead_letter IS
    'Keeps a message that a consumer gave up; its number, or minus that of the letter onto which it was only counted.';
