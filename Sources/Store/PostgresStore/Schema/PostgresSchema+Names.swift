import MessageStore

extension PostgresSchema {
    /// See ``Schema/version14``.
    static let memberNames = """
        ALTER TABLE conversations ADD COLUMN made_by TEXT COLLATE "C", ADD COLUMN made_at BIGINT;
        CREATE INDEX conversations_by_maker ON conversations (made_by, made_at) WHERE made_by IS NOT NULL;

        ALTER TABLE members ADD COLUMN added_by TEXT COLLATE "C", ADD COLUMN added_at BIGINT,
            ADD COLUMN is_invited BIGINT NOT NULL DEFAULT 0, ADD COLUMN is_named BIGINT NOT NULL DEFAULT 0;
        CREATE INDEX members_by_adder ON members (added_by, added_at, left_at) WHERE added_by IS NOT NULL;
        CREATE INDEX members_unnamed ON members (conversation, user_id) WHERE is_named = 0 AND left_at IS NULL;

        CREATE TABLE member_names (
            conversation BIGINT NOT NULL,
            is_part BIGINT NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            user_id TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (conversation, is_part, name, user_id)
        );
        CREATE INDEX member_names_by_user ON member_names (user_id, conversation);

        CREATE FUNCTION forget_names() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'DELETE' THEN
                DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
                RETURN OLD;
            END IF;
            IF (OLD.user_id, OLD.display_name, OLD.aliases, OLD.left_at)
                IS DISTINCT FROM (NEW.user_id, NEW.display_name, NEW.aliases, NEW.left_at)
            THEN
                DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
                NEW.is_named := 0;
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER members_renamed BEFORE UPDATE OF conversation, user_id, display_name, aliases, left_at ON members
            FOR EACH ROW EXECUTE FUNCTION forget_names();
        CREATE TRIGGER members_removed BEFORE DELETE ON members FOR EACH ROW EXECUTE FUNCTION forget_names();

        DROP INDEX files_by_owner;
        CREATE INDEX files_by_owner ON files (owner_id, byte_count);

        """
}
