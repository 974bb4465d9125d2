/// A conversation as a client knows it.
public struct ConversationState: Hashable, Sendable {
    /// Its entry in the list, as the server last sent it.
    public internal(set) var entry: ChatConversation
    /// The present members, if they are known.
    public internal(set) var members: [ChatMember]
    /// The receipts of the members, by user.
    public internal(set) var receipts: [String: ChatReceipt] = [:]
    /// The known messages in their order; without a gap at their end.
    public var messages: [ChatMessage] { loaded.messages }
    /// The known messages, and how much work it was to sort them.
    public internal(set) var loaded = MessageList()
    /// Whether the newest page of the history was loaded.
    public internal(set) var isLoaded = false
    /// Whether there are messages before the known ones; nil while unknown.
    public internal(set) var hasEarlier: Bool?
    /// The position of the last live message.
    public internal(set) var head: Int64
    /// The position of the last message that the person read.
    public internal(set) var readSeq: Int64
    /// Deleted messages; whether each was of another person, if that is known.
    var deleted: [String: Bool] = [:]
    /// The positions of deleted messages.
    var deletedSeqs: [Int64: Bool] = [:]
    /// Changed messages that are before the known ones: newer than in a page that was asked for earlier.
    var aside: [String: ChatMessage] = [:]
    /// Messages that mention the person.
    var mentioning: Set<String> = []

    init(_ entry: ChatConversation) {
        self.entry = entry
        members = entry.members ?? []
        head = entry.head
        readSeq = entry.readSeq
    }

    /// The most unread messages that are counted.
    public static let countLimit = 100

    /// Returns the number of unread messages of others, at most ``countLimit``.
    ///
    /// Exact if all messages after the read position are known, or if the position has not moved and nothing was deleted
    /// since the server counted them; otherwise an upper bound.
    public func unreadCount(for userID: String?) -> Int {
        count(entry.unreadCount) { $0.senderId != userID }
    }

    /// Returns the number of unread messages that mention the person; see ``unreadCount(for:)``.
    public func mentionCount(for userID: String?) -> Int {
        count(entry.mentionCount) { $0.senderId != userID && mentioning.contains($0.id) }
    }

    private func count(_ counted: Int, where isCounted: (ChatMessage) -> Bool) -> Int {
        let unread = messages.reversed().prefix { ($0.seq ?? 0) > readSeq }
        let own = unread.filter(isCounted).count
        // The known messages have no gap between them.
        let reachesBack = hasEarlier == false || messages.first.map { ($0.seq ?? 0) <= readSeq + 1 } ?? false
        guard !reachesBack, Int64(unread.count) + Int64(deletedSeqs.keys.count { $0 > readSeq }) < head - readSeq else {
            return min(own, Self.countLimit)
        }
        // The server counted the messages up to the head of its entry.
        let later = unread.filter { ($0.seq ?? 0) > entry.head && isCounted($0) }.count
        if readSeq == entry.readSeq { return min(counted + later, Self.countLimit) }
        return Int(min(Int64(Self.countLimit), head - readSeq))
    }

    /// Returns how many of the others who were members read a message of this position, and how many there are.
    public func readers(of seq: Int64, sender: String) -> (readers: Int, members: Int) {
        let others = receipts.values.filter { $0.userId != sender && $0.joinedSeq < seq }
        return (others.count { $0.readSeq >= seq }, others.count)
    }

    /// Returns the name of a member; the id of an unknown one.
    public func name(of userID: String) -> String {
        members.first { $0.userId == userID }?.name ?? messages.last { $0.senderId == userID }?.senderName ?? userID
    }
}

/// What messages do to a conversation; each may be repeated without effect.
extension ConversationState {
    mutating func take(_ batch: [ChatMessage]) {
        loaded.merge(batch.filter { deleted[$0.id] == nil })
        for message in batch {
            head = max(head, message.seq ?? 0)
            aside[message.id] = nil
        }
    }

    /// Takes messages of a frame, without those that would leave a gap in a loaded conversation.
    ///
    /// - Parameters:
    ///   - batch: The messages.
    ///   - head: ``head`` before the frame; nil for a conversation that was not known.
    mutating func take(_ batch: [ChatMessage], after head: Int64?) {
        guard isLoaded, hasEarlier != false, let head, let first = messages.first else { return take(batch) }
        let older = batch.filter { ($0.seq ?? 0) <= head && $0.precedes(first) }
        guard !older.isEmpty else { return take(batch) }
        let dropped = Set(older.map(\.id)).subtracting(messages.map(\.id))
        for message in older where dropped.contains(message.id) { aside[message.id] = message }
        take(batch.filter { !dropped.contains($0.id) })
    }

    /// Drops messages before a page, because others may be missing between them.
    mutating func dropMessages(before page: [ChatMessage]) {
        guard let first = page.min(by: { $0.precedes($1) }) else { return }
        for message in messages.prefix(while: { $0.precedes(first) }) { loaded.remove(message.id) }
    }

    mutating func delete(_ id: String, seq: Int64?, of userID: String?) {
        let known = loaded.remove(id)
        let isForeign = known.map { $0.senderId != userID } ?? deleted[id] ?? true
        let seq = seq ?? known?.seq
        deleted[id] = isForeign
        aside[id] = nil
        if let seq {
            deletedSeqs[seq] = isForeign
            head = max(head, seq)
        }
        mentioning.remove(id)
    }

    mutating func take(_ entry: ChatConversation) {
        self.entry = entry
        head = max(head, entry.head)
        readSeq = entry.readSeq
        if let members = entry.members { self.members = members }
    }
}
