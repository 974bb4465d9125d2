extension StoreSchema {
    /// Conversations, their members and who they are.
    static let conversations = """
        -- embedding: default, included or excluded, as asked for. is_excluded: what follows from it and the
        -- settings. source_time: the state in the source that sends changes, which may arrive out of order.
        -- listed_at: the time of the last complete list of members that an import told. head: the last position that
        -- was given to a live message; it never goes back, also when messages are erased. history: the part that
        -- somebody who joins later may read: 'all', or 'joined' for the times of the membership. made_by: the person
        -- who made it, or in whose name the chat application did. made_at: when it used up a share, by our clock.
        CREATE TABLE conversations (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            visibility TEXT NOT NULL,
            name TEXT,
            time_zone TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            embedding TEXT NOT NULL DEFAULT 'default',
            is_excluded INTEGER NOT NULL DEFAULT 0,
            source_time INTEGER,
            listed_at INTEGER,
            head INTEGER NOT NULL DEFAULT 0,
            history TEXT NOT NULL DEFAULT 'all',
            made_by TEXT,
            made_at INTEGER
        ) STRICT;
        CREATE INDEX conversations_open ON conversations (number) WHERE visibility = 'everyone';
        CREATE INDEX conversations_excluded ON conversations (number) WHERE is_excluded = 1;
        CREATE INDEX conversations_by_maker ON conversations (made_by, made_at) WHERE made_by IS NOT NULL;

        -- source and author_id: who the membership was first given to, before authors were joined to users.
        -- importer: the source whose imports give and end the membership; NULL where it was given otherwise.
        -- joined_seq: the head of the conversation when the membership began. reached_seq: the furthest position
        -- that was read before the member marked messages as unread again. added_by: another person who added the
        -- member. is_invited: that was a stranger, and the member has not accepted. is_named: the rows of
        -- member_names are those of the present names.
        CREATE TABLE members (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            display_name TEXT NOT NULL,
            aliases TEXT NOT NULL,
            joined_at INTEGER NOT NULL,
            left_at INTEGER,
            source TEXT NOT NULL,
            author_id TEXT NOT NULL,
            importer TEXT,
            role TEXT NOT NULL DEFAULT 'member',
            joined_seq INTEGER NOT NULL DEFAULT 0,
            read_seq INTEGER NOT NULL DEFAULT 0,
            read_at INTEGER,
            reached_seq INTEGER NOT NULL DEFAULT 0,
            added_by TEXT,
            added_at INTEGER,
            is_invited INTEGER NOT NULL DEFAULT 0,
            is_named INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (conversation, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX members_by_user ON members (user_id, conversation);
        CREATE INDEX members_by_author ON members (source, author_id);
        CREATE INDEX members_with_roles ON members (conversation, role) WHERE role <> 'member';
        CREATE INDEX members_by_adder ON members (added_by, added_at, left_at) WHERE added_by IS NOT NULL;
        CREATE INDEX members_unnamed ON members (conversation, user_id) WHERE is_named = 0 AND left_at IS NULL;

        -- The times whose messages may be read in conversations with another history than 'all'. user_id: '' for
        -- everybody who may see the conversation. until: NULL while it lasts.
        CREATE TABLE reading_spans (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER,
            PRIMARY KEY (conversation, user_id, since)
        ) STRICT, WITHOUT ROWID;

        -- Names of present members: whole ones that mentions name (is_part = 0), and what begins at each word of
        -- one.
        CREATE TABLE member_names (
            conversation INTEGER NOT NULL,
            is_part INTEGER NOT NULL,
            name TEXT NOT NULL,
            user_id TEXT NOT NULL,
            PRIMARY KEY (conversation, is_part, name, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_names_by_user ON member_names (user_id, conversation);

        -- The direct conversation of two people that is opened for them; a pair is ordered by its bytes.
        CREATE TABLE direct_pairs (
            first_id TEXT NOT NULL,
            second_id TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations,
            PRIMARY KEY (first_id, second_id)
        ) STRICT, WITHOUT ROWID;

        -- A person's own settings for a conversation, as JSON.
        CREATE TABLE preferences (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (conversation, user_id)
        ) STRICT, WITHOUT ROWID;

        -- Users who are not members of the team, and those whose kind was stated; see UserKind. is_stated: a token
        -- or an administrator said so; imports leave it alone then.
        CREATE TABLE users (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            is_stated INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What a history knows of an author. kind: as the source tells it.
        CREATE TABLE identities (
            source TEXT NOT NULL,
            external_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            name TEXT,
            email TEXT,
            is_bot INTEGER NOT NULL DEFAULT 0,
            kind TEXT,
            PRIMARY KEY (source, external_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identities_by_user ON identities (user_id);

        -- Conversations that their source deleted before they came: what it tells of an earlier time does not bring
        -- them.
        CREATE TABLE conversation_tombstones (
            conversation_id TEXT PRIMARY KEY,
            deleted_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The members of a conversation that was erased, so that clients who were away learn of it.
        CREATE TABLE departures (
            user_id TEXT NOT NULL,
            change INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            PRIMARY KEY (user_id, change)
        ) STRICT, WITHOUT ROWID;

        """
}
