import GRDB

/// A text that a person has begun to write.
public struct Draft: Hashable, Sendable {
    /// The text so far.
    public var text: String
    /// The message that it replies to.
    public var replyTo: String?

    public init(text: String, replyTo: String? = nil) {
        self.text = text
        self.replyTo = replyTo
    }
}

/// What belongs to this device alone.
extension MessageStore {
    /// Keeps the draft of a conversation; nil removes it.
    ///
    /// - Throws: ``StoreError``.
    public func set(_ draft: Draft?, in conversation: String) throws(StoreError) {
        try write { db in
            let rows = StoreRows(db)
            guard let draft else { return try rows.run("DELETE FROM draft WHERE conversation = ?", [conversation]) }
            try rows.run(
                "INSERT OR REPLACE INTO draft (conversation, text, replyTo) VALUES (?, ?, ?)",
                [conversation, draft.text, draft.replyTo])
        }
    }

    /// Keeps the device that is registered for push; nil removes it.
    func set(pushDevice id: String?) throws(StoreError) {
        try write { db in
            let rows = StoreRows(db)
            guard let id else { return try rows.run("DELETE FROM meta WHERE key = 'pushDevice'") }
            try rows.set("pushDevice", id)
        }
    }

    /// The device that is registered for push.
    func pushDevice() throws(StoreError) -> String? { try read { db in try StoreRows(db).text("pushDevice") } }

    /// Keeps that a conversation was read up to a message, until the server knows it; nil if the server knows.
    func set(mark message: String?, in conversation: String) throws(StoreError) {
        try write { db in
            let rows = StoreRows(db)
            guard let message else { return try rows.run("DELETE FROM mark WHERE conversation = ?", [conversation]) }
            try rows.run("INSERT OR REPLACE INTO mark (conversation, message) VALUES (?, ?)", [conversation, message])
        }
    }

    /// Forgets a mark that the server knows, unless a later one replaced it.
    func remove(mark message: String, in conversation: String) throws(StoreError) {
        try write { db in
            try StoreRows(db).run(
                "DELETE FROM mark WHERE conversation = ? AND message = ?", [conversation, message])
        }
    }
}

extension StoreRows {
    func drafts() throws -> [String: Draft] {
        try rows("SELECT conversation, text, replyTo FROM draft")
            .reduce(into: [:]) { $0[$1[0]] = Draft(text: $1[1], replyTo: $1[2]) }
    }

    func marks() throws -> [String: String] {
        try rows("SELECT conversation, message FROM mark").reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }
}
