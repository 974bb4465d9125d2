import Foundation
import GRDB
import NexusModel

/// The queue of what a person writes. Its order is the order of its numbers, never a time.
extension MessageStore {
    /// Appends a message.
    ///
    /// - Throws: ``StoreError``.
    func enqueue(
        _ localID: String, _ draft: OutgoingDraft, to conversation: String
    ) throws(StoreError) -> OutboxItem? {
        try write { db in
            let rows = StoreRows(db)
            let body = OutboxItem.Body.message(
                text: draft.text, replyTo: draft.replyTo, rest: OutboxItem.Rest(draft))
            _ = try rows.append(localID, body, in: conversation)
            for (position, file) in draft.files.enumerated() {
                try rows.run(
                    "INSERT INTO outbox_file (localId, position, name, mediaType, data) VALUES (?, ?, ?, ?, ?)",
                    [localID, position, file.name, file.mediaType, file.data])
            }
            return try rows.item(localID)
        }
    }

    /// What became of a change that a person made.
    enum Queued: Sendable {
        /// It is in the queue, instead of these.
        case change(OutboxItem, replaced: [String])
        /// It changed a message that was not sent.
        case message(OutboxItem)
        /// Its message was not sent and is dropped, with these changes.
        case dropped(OutboxItem, cancelled: [String])
        /// There is no such message any more.
        case gone
    }

    /// Makes a change of an outgoing or a stored message, or appends it.
    func enqueue(
        _ localID: String, _ action: OutgoingChange.Action, of subject: OutgoingChange.Subject, in conversation: String
    ) throws(StoreError) -> Queued {
        try write { db in
            let rows = StoreRows(db)
            var (parent, target): (String?, String?)
            switch subject {
            case .stored(let id): target = id
            case .outgoing(let id):
                guard let item = try rows.item(id), item.message != nil, item.conversation == conversation else {
                    return .gone
                }
                if let done = try rows.change(item, action) { return done }
                (parent, target) = (id, item.target)
            }
            let replaced = try rows.replacedChanges(by: action, parent: parent, target: target, in: conversation)
            _ = try rows.append(localID, .change(action), in: conversation, parent: parent, target: target)
            return try rows.item(localID).map { .change($0, replaced: replaced) } ?? .gone
        }
    }

    /// Takes the next of a conversation: it is now on its way.
    ///
    /// - Returns: Nil if there is none, or if it waits for a message that was refused or has no id yet; and the changes
    ///   whose message is gone.
    package func claim(in conversation: String) throws(StoreError) -> (item: OutboxItem?, cancelled: [String]) {
        try write { db in
            let rows = StoreRows(db)
            let orphans = try rows.rows(
                """
                SELECT localId FROM outbox AS item WHERE conversation = ? AND NOT isMessage AND target IS NULL
                AND NOT EXISTS (SELECT 1 FROM outbox WHERE localId = item.parent)
                """, [conversation]
            ).map { $0[0] as String }
            for id in orphans { try rows.run("DELETE FROM outbox WHERE localId = ?", [id]) }
            let head = try rows.items(
                """
                SELECT * FROM outbox WHERE conversation = ? AND state <> 'sent' AND (isMessage OR state <> 'failed')
                ORDER BY number LIMIT 1
                """, [conversation]
            ).first
            // Nobody else sends in this conversation: what is on its way was interrupted.
            guard let head, head.state != .failed, head.message != nil || head.target != nil else {
                return (nil, orphans)
            }
            try rows.setState(.sending, of: head.localID)
            try rows.run("UPDATE outbox SET isTried = 1 WHERE localId = ?", [head.localID])
            return (try rows.item(head.localID), orphans)
        }
    }

    /// Notes the reply to a message; false if the feed or a snapshot was first.
    func recordSent(_ localID: String, seq: Int64?, id: String?) throws(StoreError) -> Bool {
        try write { db in
            let rows = StoreRows(db)
            guard let item = try rows.item(localID) else { return false }
            let head = try rows.place(item.conversation)?.head
            // The feed brings nothing back of a conversation that the person does not see.
            let isUnseen = try head == nil && rows.text("cursor") != nil
            if isUnseen || seq ?? .max <= head ?? -1 {
                try rows.run("UPDATE outbox SET target = ? WHERE parent = ? AND target IS NULL", [id, localID])
                try rows.run("DELETE FROM outbox WHERE localId = ?", [localID])
                return false
            }
            try rows.run(
                "UPDATE outbox SET state = 'sent', seq = ?, target = ? WHERE localId = ?", [seq, id, localID])
            try rows.run("UPDATE outbox SET target = ? WHERE parent = ? AND target IS NULL", [id, localID])
            return true
        }
    }

    /// Puts an item back after an error that may be over later, or notes why it was refused; false if it is gone.
    func release(_ localID: String, failure: SessionError?) throws(StoreError) -> Bool {
        try write { db in
            let rows = StoreRows(db)
            guard try rows.item(localID)?.state == .sending else { return false }
            try rows.setState(failure == nil ? .queued : .failed, of: localID, failure: failure)
            return true
        }
    }

    /// Queues a refused item again; its files are uploaded again.
    func retry(_ localID: String) throws(StoreError) -> OutboxItem? {
        try write { db in
            let rows = StoreRows(db)
            guard try rows.item(localID)?.state == .failed else { return nil }
            try rows.setState(.queued, of: localID)
            try rows.run("UPDATE outbox_file SET fileId = NULL WHERE localId = ?", [localID])
            return try rows.item(localID)
        }
    }

    /// Removes an item that is done, or that the server will not store.
    ///
    /// - Returns: The changes of the message that are not sent either; nil if it is gone.
    func finish(_ localID: String) throws(StoreError) -> [String]? {
        try write { db in
            let rows = StoreRows(db)
            guard let item = try rows.item(localID) else { return nil }
            return try rows.drop(item)
        }
    }

    /// Removes an item that a person does not want to send, unless the server may have it; see ``finish(_:)``.
    func discard(_ localID: String) throws(StoreError) -> [String]? {
        try write { db in
            let rows = StoreRows(db)
            guard let item = try rows.item(localID), rows.isOnlyHere(item) else { return nil }
            return try rows.drop(item)
        }
    }

    /// Notes that a message was deleted on the server; returns the changes that are not sent any more.
    func cancelChanges(of message: String, in conversation: String) throws(StoreError) -> [String] {
        try write { db in try StoreRows(db).cancelChanges(target: message, in: conversation) }
    }

    /// The bytes of a file that waits to be sent.
    func data(ofFile position: Int, of localID: String) throws(StoreError) -> Data? {
        try read { db in
            try StoreRows(db).row(
                "SELECT data FROM outbox_file WHERE localId = ? AND position = ?", [localID, position])?[0]
        }
    }

    /// Notes that a file was uploaded.
    func recordUpload(_ fileID: String, ofFile position: Int, of localID: String) throws(StoreError) {
        try write { db in
            try StoreRows(db).run(
                "UPDATE outbox_file SET fileId = ? WHERE localId = ? AND position = ?", [fileID, localID, position])
        }
    }
}

extension StoreRows {
    /// Makes a change of a message that was not sent; nil if the change has to wait for it.
    fileprivate func change(_ item: OutboxItem, _ action: OutgoingChange.Action) throws -> MessageStore.Queued? {
        guard isOnlyHere(item), case .message(_, let replyTo, let rest) = item.body else { return nil }
        switch action {
        case .edit(let text):
            try run(
                "UPDATE outbox SET body = ? WHERE localId = ?",
                [try Self.data(OutboxItem.Body.message(text: text, replyTo: replyTo, rest: rest)), item.localID])
            return try self.item(item.localID).map { .message($0) }
        case .delete: return .dropped(item, cancelled: try drop(item))
        case .reaction: return nil
        }
    }

    /// Removes waiting changes that a new one makes superfluous; returns their ids.
    fileprivate func replacedChanges(
        by action: OutgoingChange.Action, parent: String?, target: String?, in conversation: String
    ) throws -> [String] {
        let found = try items(
            """
            SELECT * FROM outbox WHERE conversation = ? AND NOT isMessage AND state <> 'sending'
            AND (parent = ? OR target = ?)
            """, [conversation, parent, target]
        ).filter { item in
            guard case .change(let earlier) = item.body else { return false }
            switch (action, earlier) {
            case (.delete, _), (.edit, .edit): return true
            case (.reaction(let emoji, _), .reaction(let other, _)): return ChatMessage.Reaction.isSame(emoji, other)
            default: return false
            }
        }
        for item in found { try run("DELETE FROM outbox WHERE localId = ?", [item.localID]) }
        return found.map(\.localID)
    }

    fileprivate func drop(_ item: OutboxItem) throws -> [String] {
        let cancelled = item.message == nil ? [] : try cancelChanges(parent: item.localID, in: item.conversation)
        try run("DELETE FROM outbox WHERE localId = ?", [item.localID])
        return cancelled
    }
}
