public import ChatCore

/// A message as the model, or the reader of an extractive answer, is shown it.
public struct PromptSource: Hashable, Sendable {
    /// Who wrote it.
    public var sender: String
    /// Where, by the name that the asker knows.
    public var conversation: String
    /// Which conversation that is: names may be the same.
    public var conversationID: ConversationID
    /// When.
    public var timestamp: Timestamp
    /// The IANA name of the zone to write the time in; UTC when unknown.
    public var timeZone: String?
    /// What was written.
    public var text: String
    /// Which UTF-8 bytes of ``text`` are shown when not all of it is; nil for beginning and end.
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
    /// What was asked.
    public var question: String
    /// What was answered.
    public var answer: String

    public init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// What a question can be answered from.
public enum Grounding: Hashable, Sendable {
    /// These messages, best first; an empty list is the same as ``nothingFound``.
    case sources([PromptSource])
    /// The search found no message.
    case nothingFound
    /// The search could not be made.
    case searchFailed
}

/// What a prompt is made of.
public struct PromptRequest: Hashable, Sendable {
    /// What is asked.
    public var question: String
    /// What was asked and answered before, oldest first.
    public var history: [PromptExchange]
    /// What the answer can stand on.
    public var grounding: Grounding
    /// The present time.
    public var now: Timestamp
    /// The IANA name of the asker's zone, when known.
    public var timeZone: String?
    /// In which order the sources are shown.
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

/// How long a prompt may be.
public struct PromptBudget: Hashable, Sendable {
    /// What the model takes, prompt and answer together.
    public var contextTokenCount: Int
    /// What is kept free for the answer.
    public var answerTokenCount: Int
    /// What estimates are multiplied with; see ``TokenCalibration``.
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

/// In which order a prompt shows its sources.
public enum PromptLayout: String, Hashable, Sendable, Codable, CaseIterable {
    /// Best first.
    case byRank = "by_rank"
    /// Each conversation together, the one with the best source first, and in order of time, so that they read as a talk.
    case byConversation = "by_conversation"
}

/// The order in which sources are shown: what the numbers of a prompt count.
public enum PromptOrder {
    /// Returns the order of sources.
    ///
    /// - Parameters:
    ///   - sources: Best first.
    ///   - layout: How they are put.
    /// - Returns: The places of `sources`, each once: the first is that of the source shown first. Messages of the same
    ///   moment stand best first.
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
