import MessageStore

extension Schema {
    static let version7 = [threads7, following7, summaries7, mentions7].joined()

    /// Threads of questions, feedback on answers and their traces, in step 7.
    static let threads7 = """
        -- title: as the user gave it; without one the first question names the thread, and is not repeated here.
        -- conversation_id: the conversation whose own assistant is asked there.
        CREATE TABLE threads (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner_id TEXT NOT NULL,
            title TEXT,
            conversation_id TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX threads_by_owner ON threads (owner_id, updated_at, id);
        CREATE UNIQUE INDEX threads_by_conversation ON threads (conversation_id, owner_id)
            WHERE conversation_id IS NOT NULL;

        -- trace: see TurnTrace, without hits and the searched question.
        ALTER TABLE turns ADD COLUMN thread INTEGER REFERENCES threads ON DELETE CASCADE;
        ALTER TABLE turns ADD COLUMN rating TEXT;
        ALTER TABLE turns ADD COLUMN rating_reason TEXT;
        ALTER TABLE turns ADD COLUMN rated_at INTEGER;
        ALTER TABLE turns ADD COLUMN searched_question TEXT;
        ALTER TABLE turns ADD COLUMN trace TEXT;
        CREATE INDEX turns_by_thread ON turns (thread, asked_at, number) WHERE thread IS NOT NULL;
        CREATE INDEX turns_judged ON turns (number) WHERE rating IS NOT NULL;

        -- The turns that entered a turn's prompt: it is based on their messages too.
        CREATE TABLE turn_history (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            earlier INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            PRIMARY KEY (turn, earlier)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_history_by_earlier ON turn_history (earlier);

        CREATE TABLE turn_hits (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            score REAL NOT NULL,
            relevance REAL NOT NULL,
            signals TEXT,
            PRIMARY KEY (turn, rank)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_hits_by_message ON turn_hits (conversation_id, message_id);

        """

    /// Changes of lists, in step 7.
    static let following7 = """
        -- change: the entry of the change sequence that told of the row last; 0 before there were such entries.
        ALTER TABLE items ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX items_by_change ON items (conversation, kind, change);
        DROP INDEX items_by_conversation;
        ALTER TABLE threads ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX threads_by_change ON threads (owner_id, change);
        ALTER TABLE turns ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX turns_by_change ON turns (thread, change) WHERE thread IS NOT NULL;

        -- What went from a list, or was taken away by a person. list: see FollowedList. conversation: where the list is
        -- one of a conversation. owner_id: whose it is, where it is somebody's.
        CREATE TABLE removals (
            list TEXT NOT NULL,
            conversation INTEGER REFERENCES conversations,
            owner_id TEXT,
            change INTEGER NOT NULL,
            id TEXT NOT NULL
        ) STRICT;
        CREATE INDEX removals_by_list ON removals (list, conversation, owner_id, change, id);
        CREATE INDEX removals_by_conversation ON removals (conversation) WHERE conversation IS NOT NULL;
        CREATE INDEX removals_by_owner ON removals (owner_id) WHERE owner_id IS NOT NULL;

        """

    /// Summaries of parts of conversations, in step 7.
    static let summaries7 = """
        -- The span is given by the first and the last message in the order of the conversation: (timestamp, number).
        -- level: 0 for what was written of messages. cited: ids of messages as a list in JSON.
        CREATE TABLE summaries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL REFERENCES conversations,
            level INTEGER NOT NULL,
            first_time INTEGER NOT NULL,
            first_message INTEGER NOT NULL,
            last_time INTEGER NOT NULL,
            last_message INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            content_hash BLOB NOT NULL,
            recipe TEXT NOT NULL,
            text TEXT NOT NULL,
            cited TEXT,
            made_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX summaries_by_span ON summaries (conversation, level, first_time, first_message);

        -- Turns whose prompt held a conversation, or summaries of it: they are based on all of its messages up to this
        -- number.
        CREATE TABLE turn_conversations (
            turn INTEGER NOT NULL PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
            conversation_id TEXT NOT NULL,
            through INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turn_conversations_by_conversation ON turn_conversations (conversation_id, through);

        """

    /// Questions to the assistant in conversations, in step 7.
    static let mentions7 = """
        -- Messages that ask the assistant. due_at: when a waiting one is to be tried, or tried again.
        CREATE TABLE mentions (
            message INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            conversation INTEGER NOT NULL REFERENCES conversations,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            due_at INTEGER,
            answer INTEGER REFERENCES messages ON DELETE SET NULL,
            answered_at INTEGER
        ) STRICT;
        CREATE INDEX mentions_due ON mentions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX mentions_answered ON mentions (conversation, answered_at) WHERE answered_at IS NOT NULL;
        CREATE INDEX mentions_by_answer ON mentions (answer) WHERE answer IS NOT NULL;

        -- The messages that the assistant's messages are based on: these go with each of them.
        CREATE TABLE mention_sources (
            source INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            answer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            PRIMARY KEY (source, answer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mention_sources_by_answer ON mention_sources (answer);

        -- Answers to report to another system. due_at: NULL once it was reported, or given up.
        CREATE TABLE mention_deliveries (
            answer INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            attempts INTEGER NOT NULL,
            due_at INTEGER
        ) STRICT;
        CREATE INDEX mention_deliveries_due ON mention_deliveries (due_at) WHERE due_at IS NOT NULL;

        -- The change up to which messages were looked through for questions; one row.
        CREATE TABLE mention_watermark (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            change INTEGER NOT NULL
        ) STRICT;

        """
}
