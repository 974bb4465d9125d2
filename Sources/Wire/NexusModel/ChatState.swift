public import Foundation

/// Everything that a client knows: a snapshot, and the frames and pages after it.
///
/// A value without effects: the same snapshot and frames always make the same state. A frame that comes twice changes
/// nothing, and a missing one is found.
public struct ChatState: Sendable {
    /// What became of a frame.
    public enum Outcome: Hashable, Sendable {
        /// It was applied.
        case applied
        /// It had been applied before.
        case known
        /// A frame before it is missing: the client resumes at its cursor.
        case gap
    }

    /// The person; nil while the client does not know who it is.
    public var userID: String?
    /// The position of the state; nil without a snapshot.
    public private(set) var cursor: FeedCursor?
    /// The conversations by their ids.
    public private(set) var conversations: [String: ConversationState] = [:]
    /// The person's own settings; nil while unknown.
    public private(set) var settings: ChatSettings?
    /// The newest notifications of the person: unread, not dismissed, newest first.
    public private(set) var notifications: [ChatNotification] = []
    /// How many frames were applied.
    public private(set) var frameCount = 0
    /// The frame in which a message last changed, by conversation and message.
    private var stamps: [String: [String: Int]] = [:]

    public init(userID: String? = nil) {
        self.userID = userID
    }

    /// The conversations as a list shows them: pinned ones first, then by last activity.
    public var list: [ConversationState] {
        conversations.values.sorted { left, right in
            let (a, b) = (left.entry, right.entry)
            if a.preferences.pinned != b.preferences.pinned { return a.preferences.pinned }
            let (first, second) = (left.activeAt, right.activeAt)
            return first != second ? first > second : a.id < b.id
        }
    }

    /// Replaces everything by a snapshot.
    public mutating func reset(to snapshot: ChatSnapshot) {
        cursor = snapshot.cursor
        conversations = Dictionary(snapshot.conversations.map { ($0.id, ConversationState($0)) }) { first, _ in first }
        stamps = [:]
        if let settings = snapshot.settings { self.settings = settings }
        if let notifications = snapshot.notifications { self.notifications = notifications }
    }

    /// Forgets the cursor, so that the client starts again with a snapshot.
    public mutating func forgetCursor() { cursor = nil }

    /// Applies a frame if it is the next one.
    public mutating func apply(_ frame: FeedFrame) -> Outcome {
        let outcome = outcome(of: frame)
        guard outcome == .applied else { return outcome }
        frameCount += 1
        apply(frame.changes)
        for id in frame.limited ?? [] { unload(id) }
        self.cursor = frame.cursor
        return .applied
    }

    /// Returns what ``apply(_:)`` would return, without applying the frame.
    public func outcome(of frame: FeedFrame) -> Outcome {
        guard let cursor, cursor.epoch == frame.cursor.epoch, let position = cursor.position(of: frame.lane) else {
            return .gap
        }
        if frame.pos <= position { return .known }
        return frame.prev == position ? .applied : .gap
    }

    /// Notes that nothing changed up to a cursor.
    ///
    /// - Returns: Whether the cursor was moved.
    @discardableResult
    public mutating func move(to cursor: FeedCursor) -> Bool {
        guard let present = self.cursor, present.epoch == cursor.epoch,
            present.positions.count == cursor.positions.count,
            zip(cursor.positions, present.positions).allSatisfy({ $0 >= $1 })
        else { return false }
        self.cursor = cursor
        return true
    }

    /// Adds a page of the history.
    ///
    /// - Parameters:
    ///   - page: Messages of one conversation, which the server read after the frame `start`.
    ///   - id: The conversation.
    ///   - start: ``frameCount`` when the page was asked for: what changed since then is newer than the page.
    public mutating func merge(_ page: MessagePage, in id: String, askedAt start: Int) {
        guard var conversation = conversations[id] else { return }
        let stamps = stamps[id] ?? [:]
        if !conversation.isLoaded, page.next != nil { conversation.dropMessages(before: page.messages) }
        let oldest = conversation.messages.first
        let aside = conversation.aside
        conversation.take(page.messages.compactMap { (stamps[$0.id] ?? 0) <= start ? $0 : aside[$0.id] })
        conversation.isLoaded = true
        // Only a page that begins earlier says what is before it.
        if conversation.hasEarlier == nil || conversation.messages.first != oldest {
            conversation.hasEarlier = page.next != nil
        }
        conversations[id] = conversation
    }

    /// Sets the members and receipts of a conversation, except those for which a frame since then brought newer ones.
    public mutating func set(members: [ChatMember], receipts: [ChatReceipt], of id: String, askedAt start: Int) {
        guard conversations[id] != nil, (stamps[id]?[""] ?? 0) <= start else { return }
        conversations[id]?.members = members.filter { $0.leftAt == nil }
        let present = conversations[id]?.receipts ?? [:]
        var next = Dictionary(receipts.map { ($0.userId, $0) }) { first, _ in first }
        for (user, receipt) in present where (stamps[id]?[Self.stamp(ofReceipt: user)] ?? 0) > start {
            next[user] = receipt
        }
        conversations[id]?.receipts = next
    }

    private static func stamp(ofReceipt user: String) -> String { "\u{0}\(user)" }

    mutating func restore(
        cursor: FeedCursor?, conversations: [ConversationState], settings: ChatSettings?,
        notifications: [ChatNotification]
    ) {
        self.cursor = cursor
        self.conversations = Dictionary(conversations.map { ($0.entry.id, $0) }) { first, _ in first }
        self.settings = settings
        self.notifications = notifications
    }

    mutating func replace(_ conversation: ConversationState) { conversations[conversation.entry.id] = conversation }

    private mutating func unload(_ id: String) {
        conversations[id]?.loaded.removeAll()
        conversations[id]?.isLoaded = false
        conversations[id]?.hasEarlier = nil
        conversations[id]?.deletedSeqs = [:]
        conversations[id]?.aside = [:]
    }
}

extension ConversationState {
    /// The time of the newest message that is known.
    public var activeAt: Date {
        guard let last = messages.last, last.seq != nil else { return entry.activeAt }
        return max(entry.activeAt, last.timestamp)
    }
}

extension ChatState {
    /// Applies changes in their order; the messages of a conversation are one batch.
    private mutating func apply(_ changes: [FeedChange]) {
        var batches: [String: [ChatMessage]] = [:]
        let heads = conversations.mapValues(\.head)
        if let notifications = notifications(after: changes) { self.notifications = notifications }
        for change in changes {
            if case .settings(let settings) = change { self.settings = settings }
            guard let id = change.conversationId else { continue }
            if case .message(let message, let mentions) = change {
                stamps[id, default: [:]][message.id] = frameCount
                batches[id, default: []].append(message)
                remember(mentions, of: message)
                continue
            }
            if let batch = batches.removeValue(forKey: id) { conversations[id]?.take(batch, after: heads[id]) }
            apply(change)
        }
        for (id, batch) in batches { conversations[id]?.take(batch, after: heads[id]) }
    }

    private mutating func remember(_ mentions: [ChatMessage.Mention], of message: ChatMessage) {
        if let userID, mentions.contains(where: { $0.userId == userID }) {
            conversations[message.conversationId]?.mentioning.insert(message.id)
        } else {
            conversations[message.conversationId]?.mentioning.remove(message.id)
        }
    }

    private mutating func apply(_ change: FeedChange) {
        guard let id = change.conversationId else { return }
        switch change {
        case .deletion(_, let message, let seq):
            stamps[id, default: [:]][message] = frameCount
            conversations[id]?.delete(message, seq: seq, of: userID)
        case .conversation(let entry, let members, let receipts):
            stamps[id, default: [:]][""] = frameCount
            if conversations[id] == nil { conversations[id] = ConversationState(entry) }
            conversations[id]?.take(entry)
            conversations[id]?.members = members
            conversations[id]?.receipts = Dictionary(receipts.map { ($0.userId, $0) }) { first, _ in first }
        case .departure:
            conversations[id] = nil
            stamps[id] = nil
        case .receipt(let receipt, _):
            stamps[id, default: [:]][Self.stamp(ofReceipt: receipt.userId)] = frameCount
            conversations[id]?.receipts[receipt.userId] = receipt
            if receipt.userId == userID { conversations[id]?.readSeq = receipt.readSeq }
        case .message, .notification, .notifications, .settings, .devices, .scheduled, .items, .threads, .outdated,
            .unknown:
            break
        }
    }

    /// The most notifications that are kept.
    private static let notificationLimit = 100

    /// Returns the notifications after changes; nil if these change none.
    public func notifications(after changes: [FeedChange]) -> [ChatNotification]? {
        var next: [ChatNotification]?
        for change in changes {
            switch change {
            case .notification(let notification): next = Self.adding(notification, to: next ?? notifications)
            case .notifications(let notifications): next = notifications
            default: break
            }
        }
        return next
    }

    private static func adding(_ new: ChatNotification, to known: [ChatNotification]) -> [ChatNotification] {
        var next = known.filter { $0.id != new.id }
        next.insert(new, at: next.firstIndex { $0.id < new.id } ?? next.endIndex)
        return Array(next.prefix(notificationLimit))
    }
}
