import MessageStore

extension Schema {
    static let version8 = [people8, turnTexts8, links8].joined()

    /// Kinds of users and memberships that ended, in step 8.
    static let people8 = """
        -- Users who are not members of the team, and those whose kind was stated; see UserKind.
        -- is_stated: a token or an administrator said so; imports leave it alone then.
        CREATE TABLE users (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            is_stated INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- kind: as the source tells it.
        ALTER TABLE identities ADD COLUMN kind TEXT;
        CREATE INDEX identities_by_user ON identities (user_id);
        INSERT INTO users (id, kind, is_stated)
            SELECT user_id, 'bot', 0 FROM identities GROUP BY user_id HAVING MIN(is_bot) = 1;

        -- importer: the source whose imports give and end the membership; NULL where it was given otherwise.
        ALTER TABLE members ADD COLUMN importer TEXT;
        UPDATE members SET importer = source WHERE source <> 'api';
        -- listed_at: the time of the last complete list of members that an import told.
        ALTER TABLE conversations ADD COLUMN listed_at INTEGER;

        """

    /// Redaction of turns after edits of their sources, in step 8.
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

    /// Links to messages in their application, and the shown sources of turns, in step 8.
    static let links8 = """
        ALTER TABLE messages ADD COLUMN url TEXT;

        -- reply: see TurnReply, without sources.
        ALTER TABLE turns ADD COLUMN reply TEXT;

        -- The sources that are listed with an answer, by rank; number: see TurnReply.Source.
        CREATE TABLE turn_shown (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            place INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            number INTEGER,
            rank INTEGER NOT NULL,
            relevance REAL NOT NULL,
            PRIMARY KEY (turn, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_shown_by_message ON turn_shown (conversation_id, message_id);

        """
}
