extension StoreSchema {
    /// What administrators did.
    static let auditLog = """
        -- act: the entries of one act share it. actor: see AuditActor.Kind; actor_id, actor_name: of an account or a key,
        -- NULL for an erased person. subject_id: NULL for what was erased. No text of messages, no secrets, no addresses.
        CREATE TABLE audit_log (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            act TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            actor_id TEXT,
            actor_name TEXT,
            origin TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT,
            subject_id TEXT,
            detail TEXT,
            result TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_log_by_act ON audit_log (act);
        CREATE INDEX audit_log_by_time ON audit_log (started_at);
        CREATE INDEX audit_log_by_actor ON audit_log (actor_id, number) WHERE actor_id IS NOT NULL;
        CREATE INDEX audit_log_by_subject ON audit_log (subject_id, number) WHERE subject_id IS NOT NULL;
        """
}
