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
    }

    /// Forgets the cursor, so that the client starts again with a snapshot.
    public mutating func forgetCursor() { cursor = nil }

    /// Applies a frame if it is the next one.
    public mutating func apply(_ frame: FeedFrame) -> Outcome {
        guard let cursor, cursor.epoch == frame.cursor.epoch, let position = cursor.position(of: frame.lane) else {
            return .gap
        }
        if frame.pos <= position { return .known }
        guard frame.prev == position else { return .gap }
        frameCount += 1
        for change in frame.changes { apply(change) }
        for id in frame.limited ?? [] { unload(id) }
        self.cursor = frame.cursor
        return .applied
    }

    /// Notes that nothing changed up to a cursor.
    public mutating func move(to cursor: FeedCursor) {
        guard let present = self.cursor, present.epoch == cursor.epoch,
            present.positions.count == cursor.positions.count,
            zip(cursor.positions, present.positions).allSatisfy({ $0 >= $1 })
        else { return }
        self.cursor = cursor
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
        let oldest = conversation.messages.first
        conversation.merge(page.messages.filter { (stamps[$0.id] ?? 0) <= start })
        conversation.isLoaded = true
        // Only a page that begins earlier says what is before it.
        if conversation.hasEarlier == nil || conversation.messages.first != oldest {
            conversation.hasEarlier = page.next != nil
        }
        conversations[id] = conversation
    }

    /// Sets the members and receipts of a conversation, unless a frame since then brought newer ones.
    public mutating func set(members: [ChatMember], receipts: [ChatReceipt], of id: String, askedAt start: Int) {
        guard conversations[id] != nil, (stamps[id]?[""] ?? 0) <= start else { return }
        conversations[id]?.members = members.filter { $0.leftAt == nil }
        conversations[id]?.receipts = Dictionary(receipts.map { ($0.userId, $0) }) { first, _ in first }
    }

    private mutating func unload(_ id: String) {
        conversations[id]?.messages = []
        conversations[id]?.isLoaded = false
        conversations[id]?.hasEarlier = nil
        conversations[id]?.deletedSeqs = [:]
    }
}

extension ConversationState {
    /// The time of the newest message that is known.
    public var activeAt: String {
        guard let last = messages.last, last.seq != nil else { return entry.activeAt }
        return max(entry.activeAt, last.timestamp)
    }
}

extension ChatState {
    private mutating func apply(_ change: FeedChange) {
        guard let id = change.conversationId else { return }
        switch change {
        case .message(let message, let mentions):
            stamps[id, default: [:]][message.id] = frameCount
            conversations[id]?.take(message)
            if let userID, mentions.contains(where: { $0.userId == userID }) {
                conversations[id]?.mentioning.insert(message.id)
            } else {
                conversations[id]?.mentioning.remove(message.id)
            }
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
            stamps[id, default: [:]][""] = frameCount
            conversations[id]?.receipts[receipt.userId] = receipt
            if receipt.userId == userID { conversations[id]?.readSeq = receipt.readSeq }
        case .items, .threads, .unknown: break
        }
    }
}
