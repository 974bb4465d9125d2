import MessageStore

extension Schema {
    /// Names of members, invitations, and shares of each person, in step 14.
    static let version14 = """
        -- made_by: the person who made it; NULL for the chat application. made_at: when, by our clock.
        ALTER TABLE conversations ADD COLUMN made_by TEXT;
        ALTER TABLE conversations ADD COLUMN made_at INTEGER;
        CREATE INDEX conversations_by_maker ON conversations (made_by, made_at) WHERE made_by IS NOT NULL;

        -- added_by: another person who added the member. is_invited: that was a stranger, and the member has not accepted.
        -- is_named: the rows of member_names are those of the present names.
        ALTER TABLE members ADD COLUMN added_by TEXT;
        ALTER TABLE members ADD COLUMN added_at INTEGER;
        ALTER TABLE members ADD COLUMN is_invited INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE members ADD COLUMN is_named INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX members_by_adder ON members (added_by, added_at, left_at) WHERE added_by IS NOT NULL;
        CREATE INDEX members_unnamed ON members (conversation, user_id) WHERE is_named = 0 AND left_at IS NULL;

        -- Names of present members: whole ones that mentions name (is_part = 0), and what begins at each word of one.
        CREATE TABLE member_names (
            conversation INTEGER NOT NULL,
            is_part INTEGER NOT NULL,
            name TEXT NOT NULL,
            user_id TEXT NOT NULL,
            PRIMARY KEY (conversation, is_part, name, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_names_by_user ON member_names (user_id, conversation);

        CREATE TRIGGER members_renamed AFTER UPDATE OF conversation, user_id, display_name, aliases, left_at ON members
        WHEN OLD.user_id IS NOT NEW.user_id OR OLD.display_name IS NOT NEW.display_name
            OR OLD.aliases IS NOT NEW.aliases OR OLD.left_at IS NOT NEW.left_at
        BEGIN
            DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
            UPDATE members SET is_named = 0 WHERE conversation = NEW.conversation AND user_id = NEW.user_id;
        END;
        CREATE TRIGGER members_removed AFTER DELETE ON members
        BEGIN
            DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
        END;

        -- The share of a person is a sum over this index.
        DROP INDEX files_by_owner;
        CREATE INDEX files_by_owner ON files (owner_id, byte_count);

        """
}
