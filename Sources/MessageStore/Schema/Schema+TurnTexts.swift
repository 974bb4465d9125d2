extension Schema {
    /// What a turn's text is based on, in step 8.
    static let turnTexts8 = """
        -- text_changed_at: when the text was changed after it was stored, by our clock.
        ALTER TABLE messages ADD COLUMN text_changed_at INTEGER;
        CREATE INDEX messages_text_changed ON messages (conversation, text_changed_at)
            WHERE text_changed_at IS NOT NULL;

        -- redaction: why texts of the turn were taken away, see Turn.Redaction; NULL while it has them.
        ALTER TABLE turns ADD COLUMN redaction TEXT;
        UPDATE turns SET redaction = 'source_deleted' WHERE question = '';
        WITH RECURSIVE edited(number) AS (
            SELECT t.number FROM turns t JOIN turn_sources s ON s.turn = t.number
                JOIN conversations c ON c.id = s.conversation_id
                JOIN messages m ON m.conversation = c.number AND m.id = s.message_id WHERE m.edited_at > t.asked_at
            UNION SELECT t.number FROM turns t JOIN turn_conversations w ON w.turn = t.number
                JOIN conversations c ON c.id = w.conversation_id
                JOIN messages m ON m.conversation = c.number AND m.number <= w.through
                WHERE m.edited_at > t.asked_at
            UNION SELECT h.turn FROM edited e JOIN turn_history h ON h.earlier = e.number)
        UPDATE turns SET answer = '', rating_reason = NULL, searched_question = NULL, redaction = 'source_edited'
            WHERE redaction IS NULL AND number IN (SELECT number FROM edited);

        -- claimed_at: when an answer was begun last.
        ALTER TABLE mentions ADD COLUMN claimed_at INTEGER;

        -- An answer that is based on another answer is based on what that one is based on.
        WITH RECURSIVE basis(source, answer) AS (
            SELECT source, answer FROM mention_sources
            UNION SELECT s.source, b.answer FROM basis b JOIN mention_sources s ON s.answer = b.source)
        INSERT OR IGNORE INTO mention_sources (source, answer) SELECT source, answer FROM basis;

        """
}
