public import ChatCore

/// A message as the model, or the reader of an extractive answer, is shown it.
public struct PromptSource: Hashable, Sendable {
    /// The sender's name.
    public var sender: String
    /// The conversation's name as the asker knows it.
    public var conversation: String
    /// The conversation's id, because names may be the same.
    public var conversationID: ConversationID
    /// When the message was written.
    public var timestamp: Timestamp
    /// The IANA name of the zone to write the time in; UTC when unknown.
    public var timeZone: String?
    /// The text.
    public var text: String
    /// The UTF-8 bytes of ``text`` that must be shown if it is too long; nil for beginning and end, and in a quotation for
    /// the beginning.
    public var focus: Range<Int>?

    public init(
        sender: String, conversation: String, conversationID: ConversationID, timestamp: Timestamp, timeZone: String?,
        text: String, focus: Range<Int>? = nil
    ) {
        self.sender = sender
        self.conversation = conversation
        self.conversationID = conversationID
        self.timestamp = timestamp
        self.timeZone = timeZone
        self.text = text
        self.focus = focus
    }
}

/// A question of before with its answer.
public struct PromptExchange: Hashable, Sendable {
    /// The question.
    public var question: String
    /// The answer.
    public var answer: String

    public init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// The basis of an answer.
public enum Grounding: Hashable, Sendable {
    /// These messages, best first; an empty list is the same as ``nothingFound``.
    case sources([PromptSource])
    /// The search found no message.
    case nothingFound
    /// The search could not be made.
    case searchFailed
}

/// The content of a prompt.
public struct PromptRequest: Hashable, Sendable {
    /// The question.
    public var question: String
    /// Earlier exchanges, oldest first.
    public var history: [PromptExchange]
    /// The basis of the answer.
    public var grounding: Grounding
    /// The present time.
    public var now: Timestamp
    /// The IANA name of the asker's zone, when known.
    public var timeZone: String?
    /// The order in which the sources are shown.
    public var layout: PromptLayout

    public init(
        question: String, history: [PromptExchange] = [], grounding: Grounding, now: Timestamp,
        timeZone: String? = nil, layout: PromptLayout = .byConversation
    ) {
        self.question = question
        self.history = history
        self.grounding = grounding
        self.now = now
        self.timeZone = timeZone
        self.layout = layout
    }
}

/// The greatest length of a prompt.
public struct PromptBudget: Hashable, Sendable {
    /// The most tokens of prompt and answer together.
    public var contextTokenCount: Int
    /// The tokens that are reserved for the answer.
    public var answerTokenCount: Int
    /// The factor for estimates; see ``TokenCalibration``.
    public var calibration: Double

    public init(contextTokenCount: Int, answerTokenCount: Int, calibration: Double = 1) {
        self.contextTokenCount = contextTokenCount
        self.answerTokenCount = answerTokenCount
        self.calibration = calibration
    }
}

/// How much of each part a prompt shows at most; longer ones are cut in the middle, and marked.
public struct PromptLimits: Hashable, Sendable {
    /// How many exchanges are shown, the newest ones.
    public var exchangeCount: Int
    /// The longest question or answer of before, in Unicode scalars.
    public var historyLength: Int
    /// The longest message, in Unicode scalars.
    public var sourceLength: Int
    /// The longest name of a sender or a conversation, in Unicode scalars.
    public var nameLength: Int
    /// The longest quotation of an extractive answer, in Unicode scalars.
    public var quotationLength: Int

    /// Makes limits; the defaults suit a chat.
    public init(
        exchangeCount: Int = 10, historyLength: Int = 2_000, sourceLength: Int = 2_000, nameLength: Int = 80,
        quotationLength: Int = 400
    ) {
        self.exchangeCount = exchangeCount
        self.historyLength = historyLength
        self.sourceLength = sourceLength
        self.nameLength = nameLength
        self.quotationLength = quotationLength
    }
}

/// The order in which a prompt shows its sources.
public enum PromptLayout: String, Hashable, Sendable, Codable, CaseIterable {
    /// Best first.
    case byRank = "by_rank"
    /// Each conversation together, the one with the best source first, and in order of time, so that they read as a
    /// talk.
    case byConversation = "by_conversation"
}

/// The order in which sources are shown, which decides their numbers.
public enum PromptOrder {
    /// Returns the order of sources.
    ///
    /// - Parameters:
    ///   - sources: Best first.
    ///   - layout: The kind of order.
    /// - Returns: The places of `sources`, each once: the first one is shown first. Of messages of the same moment the
    ///   best comes first.
    public static func places(of sources: some Collection<PromptSource>, layout: PromptLayout) -> [Int] {
        switch layout {
        case .byRank:
            return Array(0..<sources.count)
        case .byConversation:
            var best: [ConversationID: Int] = [:]
            for (place, source) in sources.enumerated() where best[source.conversationID] == nil {
                best[source.conversationID] = place
            }
            return sources.enumerated()
                .map { place, source in (best[source.conversationID] ?? place, source.timestamp, place) }
                .sorted { $0 < $1 }
                .map(\.2)
        }
    }
}
