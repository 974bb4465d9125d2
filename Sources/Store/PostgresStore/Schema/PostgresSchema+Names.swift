import MessageStore

extension PostgresSchema {
    /// What `members_renamed` and `members_removed` do in SQLite.
    static let forgettingNames = """
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

        """
}
