import Foundation
import GRDB
import NexusModel

/// A row of the queue.
package struct OutboxItem: Sendable {
    /// How far it is, as it is stored.
    enum State: String {
        case queued
        case sending
        case sent
        case failed
    }

    /// What few messages have.
    struct Rest: Codable {
        var threadRoot: String?
        var attachments: [String]?
        var extra: [String: JSONContent]?

        /// Nil for nothing.
        init?(_ draft: OutgoingDraft) {
            guard draft.threadRoot != nil || !draft.attachments.isEmpty || !draft.extra.isEmpty else { return nil }
            threadRoot = draft.threadRoot
            attachments = draft.attachments.isEmpty ? nil : draft.attachments
            extra = draft.extra.isEmpty ? nil : draft.extra
        }
    }

    /// What is sent, as JSON.
    enum Body: Codable {
        case message(text: String, replyTo: String?, rest: Rest?)
        case change(OutgoingChange.Action)
    }

    let number: Int64
    let localID: String
    let conversation: String
    var body: Body
    /// The local id of the outgoing message that a change is about.
    var parent: String?
    /// The id that the server gave the message.
    var target: String?
    var state: State
    var seq: Int64?
    var failure: SessionError?
    /// Whether the server may have it.
    let isTried: Bool
    var files: [OutgoingFile] = []

    init(_ row: Row) throws {
        number = row["number"]
        localID = row["localId"]
        conversation = row["conversation"]
        body = try StoreRows.value(row["body"])
        parent = row["parent"]
        target = row["target"]
        guard let state = State(rawValue: row["state"]) else { throw StoreError.damaged }
        self.state = state
        seq = row["seq"]
        isTried = row["isTried"]
        failure = try (row["failure"] as Data?).map { try StoreRows.value($0) }
    }

    var message: OutgoingMessage? {
        guard case .message(let text, let replyTo, let rest) = body else { return nil }
        let next: OutgoingMessage.State =
            switch state {
            case .queued: .queued
            case .sending: .sending
            case .sent: .sent(seq: seq)
            case .failed: .failed(failure ?? .unavailable)
            }
        return OutgoingMessage(
            localId: localID, conversationId: conversation, text: text, replyTo: replyTo, threadRoot: rest?.threadRoot,
            state: next, files: files, number: number, messageId: target)
    }

    var change: OutgoingChange? {
        guard case .change(let action) = body else { return nil }
        let subject = target.map { OutgoingChange.Subject.stored($0) } ?? .outgoing(parent ?? "")
        let next: OutgoingChange.State =
            switch state {
            case .queued: .queued
            case .sending: .sending
            case .sent: .done
            case .failed: .failed(failure ?? .unavailable)
            }
        return OutgoingChange(
            id: localID, conversationId: conversation, subject: subject, action: action, state: next, number: number)
    }
}

/// The queue.
extension StoreRows {
    /// Returns the whole queue in its order.
    func queue() throws -> [OutboxItem] {
        try items("SELECT * FROM outbox ORDER BY number", [])
    }

    func item(_ localID: String) throws -> OutboxItem? {
        try items("SELECT * FROM outbox WHERE localId = ?", [localID]).first
    }

    func items(_ sql: String, _ values: [(any DatabaseValueConvertible)?]) throws -> [OutboxItem] {
        try rows(sql, values).map { row in
            var item = try OutboxItem(row)
            guard case .message = item.body else { return item }
            item.files = try rows(
                """
                SELECT name, mediaType, length(data), fileId FROM outbox_file WHERE localId = ? ORDER BY position
                """, [item.localID]
            ).map { OutgoingFile(name: $0[0], mediaType: $0[1], byteCount: $0[2], fileId: $0[3]) }
            return item
        }
    }

    func setState(_ state: OutboxItem.State, of localID: String, failure: SessionError? = nil) throws {
        try run(
            "UPDATE outbox SET state = ?, failure = ? WHERE localId = ?",
            [state.rawValue, try failure.map { try Self.data($0) }, localID])
    }

    /// Whether the server has certainly not stored an item: it was never sent, or it was refused.
    func isOnlyHere(_ item: OutboxItem) -> Bool { item.state == .failed || item.state == .queued && !item.isTried }

    /// Appends a row to the queue and returns its number.
    func append(
        _ localID: String, _ body: OutboxItem.Body, in conversation: String, parent: String? = nil,
        target: String? = nil
    ) throws -> Int64 {
        let isMessage = if case .message = body { true } else { false }
        try run(
            """
            INSERT INTO outbox (localId, conversation, isMessage, body, parent, target, state)
            VALUES (?, ?, ?, ?, ?, ?, 'queued')
            """, [localID, conversation, isMessage, try Self.data(body), parent, target])
        return db.lastInsertedRowID
    }

    /// Notes that the server has a message; whichever of reply and feed is first completes it.
    ///
    /// - Parameters:
    ///   - localID: The local id.
    ///   - message: The message as it came back; nil if it is not at hand.
    /// - Returns: Whether it was in the queue.
    /// - Throws: Errors of the database.
    func confirm(_ localID: String, as message: ChatMessage?) throws -> Bool {
        guard let row = try row("SELECT conversation FROM outbox WHERE localId = ? AND isMessage", [localID]) else {
            return false
        }
        if let message {
            guard message.conversationId == row[0] else { return false }
            try run("UPDATE outbox SET target = ? WHERE parent = ? AND target IS NULL", [message.id, localID])
        }
        try run("DELETE FROM outbox WHERE localId = ?", [localID])
        return true
    }

    /// The messages of a conversation that the server has stored and that did not come back.
    func sentMessages(of conversation: String) throws -> [String] {
        try rows("SELECT localId FROM outbox WHERE conversation = ? AND isMessage AND state = 'sent'", [conversation])
            .map { $0[0] }
    }

    /// Removes the changes of a message that are not on their way; returns their ids.
    func cancelChanges(parent: String? = nil, target: String? = nil, in conversation: String) throws -> [String] {
        let found = try rows(
            """
            SELECT localId FROM outbox
            WHERE conversation = ? AND NOT isMessage AND state <> 'sending' AND (parent = ? OR target = ?)
            """, [conversation, parent, target]
        ).map { $0[0] as String }
        for id in found { try run("DELETE FROM outbox WHERE localId = ?", [id]) }
        return found
    }

    /// Notes that a message was deleted: it came back, and what was to be done to it is cancelled.
    func recordDeletion(of message: String, in conversation: String) throws -> (
        confirmed: [String], cancelled: [String]
    ) {
        let sent = try rows(
            "SELECT localId FROM outbox WHERE conversation = ? AND target = ? AND isMessage AND state = 'sent'",
            [conversation, message]
        ).map { $0[0] as String }
        var cancelled = try cancelChanges(target: message, in: conversation)
        for id in sent {
            cancelled += try cancelChanges(parent: id, in: conversation)
            try run("DELETE FROM outbox WHERE localId = ?", [id])
        }
        return (sent, cancelled)
    }
}
