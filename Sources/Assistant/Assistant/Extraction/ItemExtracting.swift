package import ChatCore
import TextAnalysis

/// The result of an extraction.
package struct ExtractionOutcome: Hashable, Sendable, Codable {
    /// The number of new or changed messages that were read.
    package var messageCount = 0
    /// The number of new items, as they were stored; ``count(_:since:)`` counts those of a list.
    package var addedCount = 0
    /// The number of known items that changed.
    package var changedCount = 0
    /// The number of items that were removed because their messages no longer support them.
    package var removedCount = 0
    /// The number of requests to the model.
    package var callCount = 0
    /// The faults in its replies: the count of each, by its code.
    package var faults: [String: Int] = [:]
    /// The tokens as counted by the service.
    package var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    /// Whether everything was read; otherwise the next extraction continues.
    package var isComplete = true

    package init() {}

    /// Counts the items of a list that are new or changed since an earlier list, and those that are missing from it.
    package mutating func count(_ items: [ExtractedItem], since before: [ExtractedItem]) {
        let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        addedCount = items.count { known[$0.id] == nil }
        changedCount = items.count { item in known[item.id].map { $0 != item } ?? false }
        removedCount = Set(known.keys).subtracting(items.map(\.id)).count
    }
}

/// How urgent an unread message is.
package struct MessagePriority: Hashable, Sendable {
    /// The message.
    package let message: Message
    /// The urgency from 0, not urgent, to 1, at once; nil when the model gave none.
    package let score: Double?
    /// The reason; nil when the model gave none.
    package let reason: String?

    package init(message: Message, score: Double?, reason: String?) {
        self.message = message
        self.score = score
        self.reason = reason
    }
}

/// The start of the unread messages.
package enum UnreadStart: Hashable, Sendable {
    /// After this message.
    case after(MessageID)
    /// At this moment.
    case since(Timestamp)
}

/// Extracts tasks, decisions and dates from conversations.
package protocol ItemExtracting: Sendable {
    /// Reads the messages that arrived since the last extraction of a kind, and stores the items.
    ///
    /// - Parameters:
    ///   - kind: The kind of item to look for.
    ///   - id: The conversation.
    ///   - asker: The user on whose behalf the messages are read.
    ///   - timeZone: The IANA name of the zone for words such as "Friday"; nil for the zone of the conversation.
    /// - Returns: Counts of what was done, and the items that the asker could see before, in no order.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``; items stored before that stay.
    func extract(_ kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, timeZone: String?) async throws
        -> (outcome: ExtractionOutcome, before: [ExtractedItem])

    /// Judges the messages of others that a user has not read yet.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: The reader.
    ///   - start: The start of the unread messages.
    ///   - timeZone: The IANA name of the reader's zone; nil for the zone of the conversation.
    /// - Returns: The newest unread messages, the most urgent first; of equal score the newest first.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    func priorities(in id: ConversationID, asker: UserID, from start: UnreadStart, timeZone: String?) async throws
        -> [MessagePriority]
}

/// Finds decisions by their words.
package enum DecisionSearch {
    /// The share of the question's words that a decision must contain.
    private static let leastShare = 0.5

    /// Returns the decisions that a question is about, valid ones before superseded ones, the newest first.
    ///
    /// A decision matches if it contains at least half of the question's words, compared as stems: in its text, its
    /// quote or the name of the person who decided. Words of the question that no decision contains do not count.
    ///
    /// - Parameters:
    ///   - question: Nil or without words for all decisions.
    ///   - decisions: The decisions that the asker may see.
    /// - Returns: The matching decisions, in order.
    package static func find(_ question: String?, in decisions: [ExtractedItem]) -> [ExtractedItem] {
        let sorted = decisions.sorted { first, second in
            if (first.supersededByID == nil) != (second.supersededByID == nil) { return first.supersededByID == nil }
            return (second.sentAt, second.id) < (first.sentAt, first.id)
        }
        guard let question, !question.trimmingWhitespace().isEmpty else { return sorted }
        let wanted = terms(question)
        guard !wanted.isEmpty else { return sorted }
        let held = sorted.map { decision in
            terms([decision.text, decision.quote, decision.personName ?? ""].joined(separator: " "))
                .intersection(wanted)
        }
        let known = held.reduce(into: Set<String>()) { $0.formUnion($1) }
        guard !known.isEmpty else { return [] }
        return zip(sorted, held).filter { Double($1.count) >= leastShare * Double(known.count) && !$1.isEmpty }.map(\.0)
    }

    private static func terms(_ text: String) -> Set<String> {
        Set(TextAnalyzer.terms(of: text, languages: TextLanguage.allCases).map(\.term))
    }
}
