package import ChatCore

/// A message as the model, or the reader of an extractive answer, is shown it.
package struct PromptSource: Hashable, Sendable {
    /// The sender's name.
    package var sender: String
    /// The conversation's name as the asker knows it.
    package var conversation: String
    /// The conversation's id, because names may be the same.
    package var conversationID: ConversationID
    /// When the message was written.
    package var timestamp: Timestamp
    /// The IANA name of the zone to write the time in; UTC when unknown.
    package var timeZone: String?
    /// The text.
    package var text: String
    /// The UTF-8 bytes of ``text`` that must be shown if it is too long; nil for beginning and end, and in a quotation for
    /// the beginning.
    package var focus: Range<Int>?
    /// The place among the sources of a later message that replaces what this one says; nil for none.
    package var replacedBy: Int?

    package init(
        sender: String, conversation: String, conversationID: ConversationID, timestamp: Timestamp, timeZone: String?,
        text: String, focus: Range<Int>? = nil, replacedBy: Int? = nil
    ) {
        self.sender = sender
        self.conversation = conversation
        self.conversationID = conversationID
        self.timestamp = timestamp
        self.timeZone = timeZone
        self.text = text
        self.focus = focus
        self.replacedBy = replacedBy
    }
}

/// A question of before with its answer.
package struct PromptExchange: Hashable, Sendable {
    /// The question.
    package var question: String
    /// The answer.
    package var answer: String

    package init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// The basis of an answer.
package enum Grounding: Hashable, Sendable {
    /// These messages, best first; an empty list is the same as ``nothingFound``.
    case sources([PromptSource])
    /// The search found no message.
    case nothingFound
    /// The search could not be made.
    case searchFailed
}

/// The content of a prompt.
package struct PromptRequest: Hashable, Sendable {
    /// The question.
    package var question: String
    /// Earlier exchanges, oldest first.
    package var history: [PromptExchange]
    /// The basis of the answer.
    package var grounding: Grounding
    /// The present time.
    package var now: Timestamp
    /// The IANA name of the asker's zone, when known.
    package var timeZone: String?
    /// The order in which the sources are shown.
    package var layout: PromptLayout
    /// How long the prompt may be if everything fits.
    package var size: PromptSize
    /// Whether the sources are less like the question than answers usually are.
    package var isUnsure = false
    /// The day or the time up to which the sources were looked for; nil for the present.
    package var asOf: String?

    package init(
        question: String, history: [PromptExchange] = [], grounding: Grounding, now: Timestamp,
        timeZone: String? = nil, layout: PromptLayout = .byConversation, size: PromptSize = .normal
    ) {
        self.question = question
        self.history = history
        self.grounding = grounding
        self.now = now
        self.timeZone = timeZone
        self.layout = layout
        self.size = size
    }
}

/// The greatest length of a prompt.
package struct PromptBudget: Hashable, Sendable {
    /// The most tokens of prompt and answer together.
    package var contextTokenCount: Int
    /// The tokens that are reserved for the answer.
    package var answerTokenCount: Int
    /// The factor for estimates; see ``TokenCalibration``.
    package var calibration: Double

    package init(contextTokenCount: Int, answerTokenCount: Int, calibration: Double = 1) {
        self.contextTokenCount = contextTokenCount
        self.answerTokenCount = answerTokenCount
        self.calibration = calibration
    }
}

/// How much of each part a prompt shows at most; longer ones are cut in the middle, and marked.
package struct PromptLimits: Hashable, Sendable {
    /// How many exchanges are shown, the newest ones.
    package var exchangeCount: Int
    /// The longest question or answer of before, in Unicode scalars.
    package var historyLength: Int
    /// The longest message, in Unicode scalars.
    package var sourceLength: Int
    /// The longest name of a sender or a conversation, in Unicode scalars.
    package var nameLength: Int
    /// The longest quotation of an extractive answer, in Unicode scalars.
    package var quotationLength: Int

    /// Makes limits; the defaults suit a chat.
    package init(
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

/// How much a prompt shows, even if the model's context has room for more.
package enum PromptSize: String, Hashable, Sendable, Codable, CaseIterable {
    /// For models that read on processors, and for models of a few billion parameters: short instructions, few sources,
    /// of long messages the part that was found, and a frame of few tokens.
    case small
    /// For all others.
    case normal

    /// The most sources.
    package var sourceCount: Int { self == .small ? 8 : 20 }

    /// The operator's instructions.
    package var system: PromptName { self == .small ? .smallSystem : .system }

    /// The last message.
    package var question: PromptName { self == .small ? .smallQuestion : .question }

    /// The characters of the code that fences the sources.
    ///
    /// 40 bits are enough for a code that is drawn after the messages were written, and cost half of the tokens.
    var delimiterLength: Int { self == .small ? 8 : PromptDelimiter.usualLength }

    /// Returns the limits of a prompt of this size.
    func limits(_ normal: PromptLimits) -> PromptLimits {
        guard self == .small else { return normal }
        var limits = normal
        limits.exchangeCount = min(3, normal.exchangeCount)
        limits.historyLength = min(300, normal.historyLength)
        limits.sourceLength = min(500, normal.sourceLength)
        return limits
    }
}

/// The order in which a prompt shows its sources.
package enum PromptLayout: String, Hashable, Sendable, Codable, CaseIterable {
    /// Best first.
    case byRank = "by_rank"
    /// Each conversation together, the one with the best source first, and in order of time, so that they read as a
    /// talk.
    case byConversation = "by_conversation"
}

/// The order in which sources are shown, which decides their numbers.
package enum PromptOrder {
    /// Returns the order of sources.
    ///
    /// - Parameters:
    ///   - sources: Best first.
    ///   - layout: The kind of order.
    /// - Returns: The places of `sources`, each once: the first one is shown first. Of messages of the same moment the
    ///   best comes first.
    package static func places(of sources: some Collection<PromptSource>, layout: PromptLayout) -> [Int] {
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
