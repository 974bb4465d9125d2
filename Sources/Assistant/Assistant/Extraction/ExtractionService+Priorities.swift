package import ChatCore
import Extraction

extension ExtractionService {
    /// See ``ItemExtracting/priorities(in:asker:from:timeZone:)``.
    package func priorities(
        in id: ConversationID, asker: UserID, from start: UnreadStart, timeZone: String?
    ) async throws -> [MessagePriority] {
        let lister = try lister(for: asker)
        let roster = try await store.roster(of: id, asker: asker, at: session.now())
        let read = try await newest(of: id, asker: asker)
        let first = try await firstUnread(start, in: id, asker: asker)
        let unread = read.filter { $0.isUnread(by: asker, from: first) }.suffix(settings.unreadCount)
        guard let oldest = unread.first else { return [] }
        let earlier = read.filter { ($0.timestamp, $0.key) < (oldest.timestamp, oldest.key) }
        let list = MessageList(
            new: Array(unread),
            earlier: earlier.suffix(settings.contextCount)
                + read.filter { $0.senderID == asker && $0.timestamp > oldest.timestamp })
        var outcome = ExtractionOutcome()
        let place = Place(roster: roster, asker: asker, timeZone: timeZone)
        let drafts = try await lister.drafts(.priorities, of: list, at: place, &outcome)
        let scores = Dictionary(drafts.map { ($0.message.key, $0) }) { first, _ in first }
        return unread.map { message in
            MessagePriority(message: message, score: scores[message.key]?.score, reason: scores[message.key]?.text)
        }.sorted { first, second in
            (first.score ?? -1, first.message.timestamp, first.message.key)
                > (second.score ?? -1, second.message.timestamp, second.message.key)
        }
    }

    /// Returns the newest messages by time: unread ones, the reader's own, and earlier ones for context.
    private func newest(of id: ConversationID, asker: UserID) async throws -> [Message] {
        try await store.page(
            of: id, asker: asker, before: nil, limit: 2 * settings.unreadCount + settings.contextCount,
            at: session.now()
        ).filter { $0.kind.isTalk && !$0.searchableText.trimmingWhitespace().isEmpty }.reversed()
    }

    /// Returns the moment after which messages are unread.
    private func firstUnread(_ start: UnreadStart, in id: ConversationID, asker: UserID) async throws -> UnreadBound {
        switch start {
        case .since(let moment): return UnreadBound(moment: moment, readID: nil)
        case .after(let messageID):
            let key = MessageKey(conversationID: id, messageID: messageID)
            let scope = SearchScope(asker: asker, conversations: .only([id]))
            guard let message = try await store.messages([key], in: scope, at: session.now())[key] else {
                throw RepositoryError.noSuchMessage(key)
            }
            return UnreadBound(moment: message.timestamp, readID: messageID)
        }
    }
}

/// The start of the unread messages.
private struct UnreadBound {
    let moment: Timestamp
    /// The last read message at that moment.
    let readID: MessageID?
}

extension Message {
    fileprivate func isUnread(by reader: UserID, from bound: UnreadBound) -> Bool {
        senderID != reader && timestamp >= bound.moment && key.messageID != bound.readID
    }
}
