import Foundation
import GRDB
public import NexusModel

/// What the server says.
extension MessageStore {
    /// What a transaction did to messages and changes that wait to be sent.
    public struct Effects: Hashable, Sendable {
        /// Messages that came back, by their local ids: they are no longer in the queue.
        public var confirmed: [String] = []
        /// Messages and changes that are not sent any more, by their local ids.
        public var cancelled: [String] = []
        /// Whether nothing was stored, because the page is older than what is known: it is asked for again.
        public var isStale = false
    }

    /// Replaces all conversations by a snapshot, in one transaction with its position.
    ///
    /// Messages are removed, because nobody says which of them were changed or deleted; they are loaded again. Drafts and
    /// the queue stay, except of conversations that the person has left.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - sent: Messages that the server had stored before it made the snapshot, by their local ids.
    /// - Returns: What became of the queue.
    /// - Throws: ``StoreError``.
    public func reset(to snapshot: ChatSnapshot, sent: [String] = []) throws(StoreError) -> Effects {
        try change { rows in
            var effects = Effects()
            let present = Set(snapshot.conversations.map(\.id))
            for row in try rows.rows("SELECT id FROM conversation") where !present.contains(row[0]) {
                effects.cancelled += try rows.erase(row[0])
            }
            for entry in snapshot.conversations {
                let place = try rows.store(entry).place
                try rows.unload(place)
                // The entry is the state of the server, also where it went back.
                try rows.run("UPDATE conversation SET head = ? WHERE number = ?", [entry.head, place.number])
                if entry.head != place.head { try rows.moveOnlyGap(of: place, to: entry.head) }
                if entry.lastMessage == nil { try rows.closeGaps(from: nil, through: nil, in: place.number) }
            }
            for id in try sent + rows.messagesUpToHeads() {
                if try rows.confirm(id, as: nil) { effects.confirmed.append(id) }
            }
            if let settings = snapshot.settings { try rows.set("settings", json: settings) }
            if let notifications = snapshot.notifications { try rows.set("notifications", json: notifications) }
            try rows.set(cursor: snapshot.cursor)
            return effects
        }
    }

    /// Stores a frame of the feed, in one transaction with its position.
    ///
    /// - Parameters:
    ///   - frame: The next frame; see `ChatState.outcome(of:)`.
    ///   - user: The person; nil while unknown.
    ///   - notifications: The notifications of the person after the frame; nil if it changes none.
    /// - Returns: What became of the queue.
    /// - Throws: ``StoreError``.
    public func apply(
        _ frame: FeedFrame, user: String?, notifications: [ChatNotification]? = nil
    ) throws(StoreError) -> Effects {
        try change { rows in
            var reading = FrameStorage(rows: rows, user: user)
            try reading.store(frame)
            rows = reading.rows
            if let notifications { try rows.set("notifications", json: notifications) }
            try rows.set(cursor: frame.cursor)
            return reading.effects
        }
    }

    /// Notes that nothing changed up to a cursor.
    ///
    /// - Throws: ``StoreError``.
    public func move(to cursor: FeedCursor) throws(StoreError) {
        try write { db in try StoreRows(db).set(cursor: cursor) }
    }

    /// Stores a page of the history.
    ///
    /// - Parameters:
    ///   - page: Messages of one conversation without a gap between them.
    ///   - id: The conversation.
    ///   - before: The message that the page ends before; nil for the newest page, or one around a message.
    ///   - start: ``currentRevision`` when the page was asked for: what changed since then is newer than the page.
    ///   - user: The person; nil while unknown.
    /// - Returns: What became of the queue.
    /// - Throws: ``StoreError``.
    public func merge(
        _ page: MessagePage, in id: String, before: ChatMessage? = nil, askedAt start: Int64, user: String?
    ) throws(StoreError) -> Effects {
        let isOld =
            start < skippedStart || page.messages.contains { skipped["\(id) \($0.id)"].map { $0 > start } ?? false }
        return try change { rows in
            var effects = Effects()
            guard !isOld else {
                effects.isStale = true
                return effects
            }
            // A conversation that was loaded again since then has another history.
            guard let place = try rows.place(id), place.resetAt <= start else {
                effects.isStale = true
                return effects
            }
            try rows.store(page, before: before.map { TimelinePosition($0) }, askedAt: start, in: place)
            for message in page.messages where user == nil || message.senderId == user {
                guard let localID = message.localId, try rows.confirm(localID, as: message) else { continue }
                effects.confirmed.append(localID)
            }
            return effects
        }
    }

    /// Stores the members and receipts of a conversation, unless newer ones came since they were asked for.
    ///
    /// - Throws: ``StoreError``.
    public func set(
        members: [ChatMember], receipts: [ChatReceipt], of id: String, askedAt start: Int64
    ) throws(StoreError) {
        try change { rows in
            guard let place = try rows.place(id), place.membersAt <= start else { return }
            try rows.store(members.filter { $0.leftAt == nil }, of: place.number)
            try rows.store(receipts, replacingUpTo: start, of: place.number)
        }
    }

    /// How many transactions have changed messages.
    public var currentRevision: Int64 { revision }

    /// The most skipped messages that are remembered.
    private static let skippedLimit = 10_000

    /// Runs a transaction that changes messages.
    private func change<Value>(_ body: (inout StoreRows) throws -> Value) throws(StoreError) -> Value {
        try open()
        let next = revision + 1
        let (value, done, added, left) = try write { db in
            var rows = StoreRows(db, revision: next)
            let value = try body(&rows)
            try rows.set("revision", "\(next)")
            return (value, rows.work, rows.addedCount, rows.skipped)
        }
        revision = next
        work.sortCount += done.sortCount
        work.mergeCount += done.mergeCount
        addedCount += added
        for key in left { skipped[key] = next }
        if skipped.count > Self.skippedLimit { (skipped, skippedStart) = ([:], next) }
        if addedCount >= Self.evictionStep {
            addedCount = 0
            try evict()
        }
        return value
    }
}

/// Stores one frame.
private struct FrameStorage {
    var rows: StoreRows
    let user: String?
    var effects = MessageStore.Effects()
    /// Messages that were not stored yet, by conversation.
    private var batches: [String: [StoreRows.Incoming]] = [:]
    /// Conversations that were not known before.
    private var new: Set<String> = []

    init(rows: StoreRows, user: String?) {
        self.rows = rows
        self.user = user
    }

    mutating func store(_ frame: FeedFrame) throws {
        for change in frame.changes {
            if case .message(let message, let mentions) = change {
                let isMention = mentions.contains { $0.userId == user }
                batches[message.conversationId, default: []].append(.init(message: message, isMention: isMention))
                continue
            }
            if let id = change.conversationId, !new.contains(id) { try flush(id) }
            try store(change)
        }
        for id in batches.keys.sorted() { try flush(id) }
        for id in new { if let place = try rows.place(id) { try rows.beginNew(place, with: []) } }
        for id in frame.limited ?? [] {
            guard let place = try rows.place(id) else { continue }
            try rows.unload(place)
            // They are among the messages that the frame leaves out.
            for localID in try rows.sentMessages(of: id) {
                if try rows.confirm(localID, as: nil) { effects.confirmed.append(localID) }
            }
        }
        // Perhaps they may no longer be read: their words go too.
        if frame.limited?.isEmpty == false { try rows.mergeWords() }
    }

    private mutating func flush(_ id: String) throws {
        guard let batch = batches.removeValue(forKey: id), var place = try rows.place(id) else { return }
        if new.remove(id) != nil { try rows.beginNew(place, with: batch) }
        try rows.store(batch, in: &place)
        for message in batch.map(\.message) where user == nil || message.senderId == user {
            guard let localID = message.localId, try rows.confirm(localID, as: message) else { continue }
            effects.confirmed.append(localID)
        }
    }

    private mutating func store(_ change: FeedChange) throws {
        switch change {
        case .deletion(let id, let message, let seq):
            guard let place = try rows.place(id) else { return }
            try rows.delete(message, seq: seq, in: place)
            let (confirmed, cancelled) = try rows.recordDeletion(of: message, in: id)
            effects.confirmed += confirmed
            effects.cancelled += cancelled
        case .conversation(let entry, let members, let receipts):
            let (place, isNew) = try rows.store(entry)
            if isNew { new.insert(entry.id) }
            try rows.store(members, of: place.number)
            try rows.store(receipts, replacingUpTo: .max, of: place.number)
        case .departure(let id): effects.cancelled += try rows.erase(id)
        case .receipt(let receipt, let id):
            guard let place = try rows.place(id) else { return }
            try rows.store([receipt], replacingUpTo: nil, of: place.number)
            guard receipt.userId == user else { return }
            try rows.run("UPDATE conversation SET readSeq = ? WHERE number = ?", [receipt.readSeq, place.number])
        case .settings(let settings): try rows.set("settings", json: settings)
        case .message, .notification, .notifications, .devices, .scheduled, .items, .threads, .outdated, .unknown: break
        }
    }
}

extension StoreRows {
    func set(_ key: String, json value: some Encodable) throws {
        try set(key, String(decoding: try Self.data(value), as: UTF8.self))
    }

    /// The messages that the server has stored and that are before the heads of their conversations.
    func messagesUpToHeads() throws -> [String] {
        try rows(
            """
            SELECT localId FROM outbox JOIN conversation ON conversation.id = outbox.conversation
            WHERE isMessage AND state = 'sent' AND seq <= head
            """
        ).map { $0[0] }
    }

    /// Puts the gap of a conversation without messages behind another head.
    func moveOnlyGap(of place: Place, to head: Int64) throws {
        try run("DELETE FROM gap WHERE conversation = ?", [place.number])
        try addGap(TimelinePosition(after: head), in: place.number)
    }
}
