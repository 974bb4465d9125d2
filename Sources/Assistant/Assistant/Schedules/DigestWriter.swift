import ChatCore
import Foundation

/// Writes digests from what a person sees at a moment; it asks no language model.
struct DigestWriter: Sendable {
    typealias Store = ItemRepository & LiveChatRepository & MessageRepository

    /// The most lines of each part.
    private static let lineLimit = 10
    /// Open items that were due longer ago are left out.
    private static let overdueLimit = Duration.seconds(30 * 86_400)

    let store: any Store
    let owner: UserID
    let text: DigestText
    let timeZone: String
    /// The conversation with the assistant, which is left out.
    let ownConversation: ConversationID?

    /// Writes a digest.
    ///
    /// - Parameters:
    ///   - parts: What it is about.
    ///   - since: Older messages and decisions are not new.
    ///   - until: Items that are due later are left out.
    ///   - moment: The present time.
    /// - Returns: The digest; nil if there is nothing to say.
    /// - Throws: ``RepositoryError``.
    func digest(
        of parts: Set<Schedule.DigestPart>, since: Timestamp, until: Timestamp, at moment: Timestamp
    ) async throws -> Digest? {
        let entries = try await store.inbox(of: owner, matching: nil, at: moment).entries
            .filter { $0.conversation.id != ownConversation }
        let names = Dictionary(entries.map { ($0.conversation.id, $0.displayName) }, uniquingKeysWith: { $1 })
        func name(_ id: ConversationID) -> String { names[id] ?? id.rawValue }
        var digest = Digest(title: text.title(day: day(moment)))
        for part in parts.sorted() {
            switch part {
            case .missed:
                for (entry, message) in try await missed(entries, since: since, at: moment) {
                    digest.add([message], naming: name) { text.missed(entry, message, $0[0]) }
                }
            case .due:
                for (item, message) in try await due(until: until, at: moment) {
                    guard let due = item.due else { continue }
                    digest.add([message], naming: name) {
                        text.due(
                            item, day: day(due), isOver: due < moment, in: name(item.key.conversationID), $0[0])
                    }
                }
            case .decisions:
                for decision in try await decisions(since: since, at: moment) {
                    let place = name(decision.item.key.conversationID)
                    guard let (before, old) = decision.before else {
                        digest.add([decision.message], naming: name) { text.decided(decision.item, in: place, $0[0]) }
                        continue
                    }
                    digest.add([decision.message, old], naming: name) {
                        text.changed(decision.item, $0[0], before: before, $0[1], in: place)
                    }
                }
            }
        }
        return digest.lines.isEmpty ? nil : digest
    }

    private var scope: SearchScope { SearchScope(asker: owner, conversations: .all) }

    private func day(_ moment: Timestamp) -> String {
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let offset = TimeZone(named: timeZone)?.secondsFromGMT(for: date) ?? 0
        return String((moment + .seconds(offset)).iso8601.prefix(10))
    }

    /// The conversations with unread messages that are new, those with mentions first, and a message of each.
    private func missed(
        _ entries: [InboxEntry], since: Timestamp, at moment: Timestamp
    ) async throws -> [(InboxEntry, Message)] {
        let unread = entries.filter { entry in
            guard entry.unreadCount > 0, let last = entry.lastMessage, last.senderID != owner else { return false }
            return last.timestamp > since && (!entry.preferences.isMuted || entry.mentionCount > 0)
        }
        let shown = unread.sorted {
            ($0.mentionCount, $0.unreadCount, $0.activeAt) > ($1.mentionCount, $1.unreadCount, $1.activeAt)
        }.prefix(Self.lineLimit)
        let firsts = shown.compactMap { entry in
            entry.firstUnreadID.map { MessageKey(conversationID: entry.conversation.id, messageID: $0) }
        }
        let known = try await store.messages(firsts, in: scope, at: moment)
        return shown.compactMap { entry in
            // An answer of the assistant is no message of a person, and goes with others.
            let first = entry.firstUnreadID.flatMap {
                known[MessageKey(conversationID: entry.conversation.id, messageID: $0)]
            }
            return [entry.lastMessage, first].compactMap(\.self).first { $0.kind.isTalk }.map { (entry, $0) }
        }
    }

    /// The person's open items with a date, earlier dates first.
    private func due(until: Timestamp, at moment: Timestamp) async throws -> [(ExtractedItem, Message)] {
        let all = try await items([.actionItem, .deadline], at: moment)
        let open = all.filter { item in
            guard item.status == .open, item.supersededByID == nil, let due = item.due, due <= until,
                due > moment + (.zero - Self.overdueLimit)
            else { return false }
            return item.personID == owner || item.kind == .deadline && item.personID == nil
        }
        let messages = try await store.messages(open.map(\.key), in: scope, at: moment)
        let shown = open.sorted { ($0.due ?? moment, $0.id) < ($1.due ?? moment, $1.id) }
            .compactMap { item in messages[item.key].map { (item, $0) } }
        return Array(shown.prefix(Self.lineLimit))
    }

    /// A decision with its message, and the decision that it replaces.
    private struct Decision {
        let item: ExtractedItem
        let message: Message
        let before: (ExtractedItem, Message)?
    }

    /// The decisions that were found after `since`, the newest first.
    private func decisions(since: Timestamp, at moment: Timestamp) async throws -> [Decision] {
        let all = try await items([.decision], at: moment)
        let new = all.filter { $0.extractedAt > since && $0.supersededByID == nil }
        let replaced = Dictionary(
            all.compactMap { item in item.supersededByID.map { ($0, item) } }, uniquingKeysWith: { $1 })
        let keys = new.map(\.key) + new.compactMap { replaced[$0.id]?.key }
        let messages = try await store.messages(keys, in: scope, at: moment)
        let shown = new.sorted { ($0.sentAt, $0.id) > ($1.sentAt, $1.id) }.compactMap { item -> Decision? in
            guard let message = messages[item.key] else { return nil }
            let before = replaced[item.id].flatMap { old in messages[old.key].map { (old, $0) } }
            return Decision(item: item, message: message, before: before)
        }
        return Array(shown.prefix(Self.lineLimit))
    }

    private func items(_ kinds: [ExtractedItem.Kind], at moment: Timestamp) async throws -> [ExtractedItem] {
        var all: [ExtractedItem] = []
        for kind in kinds { all += try await store.items(of: kind, in: scope, at: moment) }
        return all
    }
}
