extension StoreSchema {
    /// Turns, threads, items, summaries and mentions.
    static let assistant = """
        -- title: as the user gave it; without one the first question names the thread, and is not repeated here.
        -- conversation_id: the conversation whose own assistant is asked there. change, here and below: the entry of
        -- the change log that told of the row last; 0 for none.
        CREATE TABLE threads (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner_id TEXT NOT NULL,
            title TEXT,
            conversation_id TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            change INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX threads_by_owner ON threads (owner_id, updated_at, id);
        CREATE UNIQUE INDEX threads_by_conversation ON threads (conversation_id, owner_id)
            WHERE conversation_id IS NOT NULL;
        CREATE INDEX threads_by_change ON threads (owner_id, change);

        -- trace: see TurnTrace, without hits and the searched question. redaction: why texts of the turn were taken
        -- away, see Turn.Redaction; NULL while it has them. reply: see TurnReply, without sources.
        CREATE TABLE turns (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            asker_id TEXT NOT NULL,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            thread INTEGER REFERENCES threads ON DELETE CASCADE,
            rating TEXT,
            rating_reason TEXT,
            rated_at INTEGER,
            searched_question TEXT,
            trace TEXT,
            change INTEGER NOT NULL DEFAULT 0,
            redaction TEXT,
            reply TEXT
        ) STRICT;
        CREATE INDEX turns_by_asker ON turns (asker_id, asked_at, number);
        CREATE INDEX turns_by_thread ON turns (thread, asked_at, number) WHERE thread IS NOT NULL;
        CREATE INDEX turns_judged ON turns (number) WHERE rating IS NOT NULL;
        CREATE INDEX turns_by_change ON turns (thread, change) WHERE thread IS NOT NULL;

        CREATE TABLE turn_sources (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            PRIMARY KEY (turn, rank)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_sources_by_message ON turn_sources (conversation_id, message_id);

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

        -- Turns whose prompt held a conversation, or summaries of it: they are based on all of its messages up to
        -- this number.
        CREATE TABLE turn_conversations (
            turn INTEGER NOT NULL PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
            conversation_id TEXT NOT NULL,
            through INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turn_conversations_by_conversation ON turn_conversations (conversation_id, through);

        -- What users' questions took of a language model, by day (days since 1970, UTC); kept for 30 days.
        CREATE TABLE user_tokens (
            day INTEGER NOT NULL,
            user_id TEXT NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, user_id)
        ) STRICT, WITHOUT ROWID;

        -- What was extracted from messages. edited: the fields that a person changed. is_dismissed: a person took it
        -- away; it is kept so that it is not found again.
        CREATE TABLE items (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations,
            message INTEGER NOT NULL REFERENCES messages,
            text TEXT NOT NULL,
            person_name TEXT,
            person_id TEXT,
            due_at INTEGER,
            priority TEXT NOT NULL,
            quote TEXT NOT NULL,
            status TEXT NOT NULL,
            superseded_by TEXT,
            edited TEXT,
            is_dismissed INTEGER NOT NULL,
            extracted_at INTEGER NOT NULL,
            change INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX items_by_message ON items (message);
        CREATE INDEX items_by_person ON items (person_id) WHERE person_id IS NOT NULL;
        CREATE INDEX items_superseded ON items (superseded_by) WHERE superseded_by IS NOT NULL;
        CREATE INDEX items_by_change ON items (conversation, kind, change);

        -- watermark: the change up to which messages were read. lease_id: the extraction under way, until
        -- leased_until.
        CREATE TABLE extractions (
            conversation INTEGER NOT NULL REFERENCES conversations,
            kind TEXT NOT NULL,
            watermark INTEGER NOT NULL DEFAULT 0,
            lease_id TEXT,
            leased_until INTEGER,
            PRIMARY KEY (conversation, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX extractions_by_lease ON extractions (lease_id) WHERE lease_id IS NOT NULL;

        -- What went from a list, or was taken away by a person. list: see FollowedList. conversation: where the list
        -- is one of a conversation. owner_id: whose it is, where it is somebody's.
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

        -- Messages that ask the assistant. due_at: when a waiting one is to be tried, or tried again. claimed_at:
        -- when an answer was begun last.
        CREATE TABLE mentions (
            message INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            conversation INTEGER NOT NULL REFERENCES conversations,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            due_at INTEGER,
            answer INTEGER REFERENCES messages ON DELETE SET NULL,
            answered_at INTEGER,
            claimed_at INTEGER
        ) STRICT;
        CREATE INDEX mentions_due ON mentions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX mentions_answered ON mentions (conversation, answered_at) WHERE answered_at IS NOT NULL;
        CREATE INDEX mentions_by_answer ON mentions (answer) WHERE answer IS NOT NULL;

        -- The messages that the assistant's messages are based on: these go with each of them. An answer that is
        -- based on another answer is based on what that one is based on.
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
