import GRDB

/// The tables of a store.
///
/// `seq`, `time` and `id` are the place of a message; see `TimelinePosition`. A row of `gap` says that messages may be
/// missing directly before a place. `revision` counts transactions that changed messages: a page of the history that was
/// asked for earlier does not replace what came since.
enum StoreSchema {
    static let version = 1

    static let statements = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE conversation (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, entry BLOB NOT NULL, members BLOB NOT NULL,
            head INTEGER NOT NULL, readSeq INTEGER NOT NULL, openedAt INTEGER NOT NULL DEFAULT 0,
            resetAt INTEGER NOT NULL, membersAt INTEGER NOT NULL);
        CREATE TABLE receipt (
            conversation INTEGER NOT NULL, user TEXT NOT NULL, revision INTEGER NOT NULL, body BLOB NOT NULL,
            PRIMARY KEY (conversation, user)
        ) WITHOUT ROWID;
        CREATE TABLE message (
            number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, seq INTEGER NOT NULL, time TEXT NOT NULL,
            id TEXT NOT NULL, revision INTEGER NOT NULL, isMention INTEGER NOT NULL, text TEXT NOT NULL,
            body BLOB NOT NULL, UNIQUE (conversation, id));
        CREATE UNIQUE INDEX message_place ON message (conversation, seq, time, id);
        CREATE TABLE gap (
            conversation INTEGER NOT NULL, seq INTEGER NOT NULL, time TEXT NOT NULL, id TEXT NOT NULL,
            PRIMARY KEY (conversation, seq, time, id)) WITHOUT ROWID;
        CREATE TABLE tombstone (
            conversation INTEGER NOT NULL, id TEXT NOT NULL, seq INTEGER, PRIMARY KEY (conversation, id)
        ) WITHOUT ROWID;
        CREATE TABLE draft (conversation TEXT PRIMARY KEY, text TEXT NOT NULL, replyTo TEXT) WITHOUT ROWID;
        CREATE TABLE mark (conversation TEXT PRIMARY KEY, message TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, localId TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL,
            isMessage INTEGER NOT NULL, body BLOB NOT NULL, parent TEXT, target TEXT, state TEXT NOT NULL, seq INTEGER,
            isTried INTEGER NOT NULL DEFAULT 0, failure BLOB);
        CREATE INDEX outbox_order ON outbox (conversation, number);
        CREATE INDEX outbox_parent ON outbox (parent);
        CREATE INDEX outbox_target ON outbox (conversation, target);
        CREATE TABLE outbox_file (
            localId TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, mediaType TEXT NOT NULL,
            fileId TEXT, data BLOB NOT NULL, PRIMARY KEY (localId, position));
        CREATE TRIGGER outbox_files AFTER DELETE ON outbox BEGIN
            DELETE FROM outbox_file WHERE localId = old.localId;
        END;
        CREATE VIRTUAL TABLE words USING fts5(
            text, content = 'message', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2');
        CREATE TRIGGER words_insert AFTER INSERT ON message BEGIN
            INSERT INTO words (rowid, text) VALUES (new.number, new.text);
        END;
        CREATE TRIGGER words_delete AFTER DELETE ON message BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
        END;
        CREATE TRIGGER words_update AFTER UPDATE OF text ON message WHEN old.text <> new.text BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
            INSERT INTO words (rowid, text) VALUES (new.number, new.text);
        END;
        """
}
