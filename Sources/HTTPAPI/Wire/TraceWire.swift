public import ChatCore

/// How an answer came about, as it goes over the wire: ids and numbers, no text of messages.
public struct TraceWire: Codable, Hashable, Sendable {
    /// What a message had to fulfil.
    public struct Filter: Codable, Hashable, Sendable {
        /// The only conversations that were searched; missing for all that the asker saw.
        public let conversationIds: [ConversationID]?
        /// The only senders; missing for anyone.
        public let senderIds: [UserID]?
        /// The earliest moment.
        public let from: WireTime?
        /// The first moment too late.
        public let to: WireTime?
        /// The most hits.
        public let limit: Int
        /// The asker's zone.
        public let timeZone: String?
    }

    /// A message that was found.
    public struct Hit: Codable, Hashable, Sendable {
        /// Its place, from 1.
        public let rank: Int
        /// Its conversation.
        public let conversationId: ConversationID
        /// The message.
        public let messageId: MessageID
        /// What the order goes by.
        public let score: Double
        /// For display, 0...1.
        public let relevance: Double
        /// What spoke for it or against it.
        public let signals: [TurnTrace.Signal]
    }

    /// The language model and what it took.
    public struct Generation: Codable, Hashable, Sendable {
        /// Its name; missing without a language model.
        public let model: String?
        /// The templates that the answer was made with.
        public let prompts: [TurnTrace.Prompt]
        /// Tokens of the prompt.
        public let promptTokens: Int?
        /// Tokens of the answer.
        public let completionTokens: Int?
    }

    /// The turn.
    public let turnId: TurnID
    /// What a message had to fulfil.
    public let filter: Filter
    /// What was searched for where it was not the question as asked; to the asker alone.
    public let searchedQuestion: String?
    /// Which signals the search stood on; missing when it failed.
    public let mode: String?
    /// The embedding generation that was searched.
    public let embeddingGeneration: GenerationNumber?
    /// The hash of the search's settings.
    public let configuration: String?
    /// What went otherwise than configured.
    public let notes: [String]
    /// Why there was nothing to stand on.
    public let noAnswerReason: String
    /// What was found, best first; without what the asker may not see any more.
    public let hits: [Hit]
    /// How the answer was made.
    public let generation: Generation
    /// How long each stage took, in milliseconds.
    public let durations: [String: Double]

    /// Makes the wire form of a turn's trace.
    public init(_ trace: TurnTrace, of id: TurnID) {
        turnId = id
        filter = Filter(
            conversationIds: trace.conversationIDs, senderIds: trace.senderIDs, from: trace.from.map { WireTime($0) },
            to: trace.to.map { WireTime($0) }, limit: trace.limit, timeZone: trace.timeZone)
        searchedQuestion = trace.searchedQuestion
        mode = trace.mode
        embeddingGeneration = trace.generation
        configuration = trace.configuration
        notes = trace.notes
        noAnswerReason = trace.noAnswerReason
        hits = trace.hits.map {
            Hit(
                rank: $0.rank, conversationId: $0.key.conversationID, messageId: $0.key.messageID, score: $0.score,
                relevance: $0.relevance, signals: $0.signals)
        }
        generation = Generation(
            model: trace.model, prompts: trace.prompts, promptTokens: trace.promptTokenCount,
            completionTokens: trace.completionTokenCount)
        durations = trace.durations.mapValues { Double($0) / 1_000 }
    }
}
