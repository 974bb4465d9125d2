public import ChatCore
import TextAnalysis

/// What came of an extraction.
public struct ExtractionOutcome: Hashable, Sendable, Codable {
    /// How many new or changed messages were read.
    public var messageCount = 0
    /// How many items are new.
    public var addedCount = 0
    /// How many known items say something else now.
    public var changedCount = 0
    /// How many items their messages say no more.
    public var removedCount = 0
    /// How often the model was asked.
    public var callCount = 0
    /// What was wrong with its replies, by the word for it.
    public var faults: [String: Int] = [:]
    /// The tokens that the service counted.
    public var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    /// Whether everything was read; otherwise the next extraction goes on.
    public var isComplete = true

    /// Makes the outcome of an extraction that has not begun.
    public init() {}
}

/// How urgent an unread message is.
public struct MessagePriority: Hashable, Sendable {
    /// The message.
    public let message: Message
    /// 0 for not at all, 1 for at once; nil where the model said nothing of it.
    public let score: Double?
    /// Why; nil where the model said nothing of it.
    public let reason: String?

    public init(message: Message, score: Double?, reason: String?) {
        self.message = message
        self.score = score
        self.reason = reason
    }
}

/// Where the unread messages begin.
public enum UnreadStart: Hashable, Sendable {
    /// Behind this message.
    case after(MessageID)
    /// At this moment.
    case since(Timestamp)
}

/// Takes tasks, decisions and dates out of conversations.
public protocol ItemExtracting: Sendable {
    /// Reads what came in a conversation since the last extraction of a kind, and keeps what it finds.
    ///
    /// - Parameters:
    ///   - kind: What is looked for.
    ///   - id: The conversation.
    ///   - asker: Who wants it.
    ///   - timeZone: The IANA name of the zone in which people say "Friday"; nil for the conversation's.
    /// - Returns: What came of it.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``; what was found before stays.
    func extract(_ kind: ExtractedItem.Kind, in id: ConversationID, asker: UserID, timeZone: String?) async throws
        -> ExtractionOutcome

    /// Judges the messages of others that somebody has not read yet.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: Who has not read them.
    ///   - start: Where they begin.
    ///   - timeZone: The IANA name of the reader's zone; nil for the conversation's.
    /// - Returns: The newest of them, the most urgent first, those of the same score by time, the newest first.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    func priorities(in id: ConversationID, asker: UserID, from start: UnreadStart, timeZone: String?) async throws
        -> [MessagePriority]
}

/// Finds decisions by their words.
public enum DecisionSearch {
    /// The share of a question's words that a decision has to hold.
    private static let leastShare = 0.5

    /// Returns the decisions that a question is about, valid ones before superseded ones, the newest first.
    ///
    /// A decision answers when it holds half of the question's words at least, reduced to their stems: in its own words,
    /// those of its quote or the name of who decided. Words of the question that no decision holds do not count.
    ///
    /// - Parameters:
    ///   - question: What is asked; nil or without words for all.
    ///   - decisions: Those that the asker may see.
    /// - Returns: Those that answer, in order.
    public static func find(_ question: String?, in decisions: [ExtractedItem]) -> [ExtractedItem] {
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
