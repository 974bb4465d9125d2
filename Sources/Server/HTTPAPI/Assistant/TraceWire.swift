public import ChatCore

/// The JSON form of an answer's trace: ids and numbers, no text of messages.
public struct TraceWire: Codable, Hashable, Sendable {
    /// The filter of the search.
    public struct Filter: Codable, Hashable, Sendable {
        /// The only conversations that were searched; missing for all that the asker saw.
        public let conversationIds: [ConversationID]?
        /// The only senders; missing for anyone.
        public let senderIds: [UserID]?
        /// The earliest moment.
        public let from: WireTime?
        /// The end, exclusive.
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
        /// The score that decides the order.
        public let score: Double
        /// For display, 0...1.
        public let relevance: Double
        /// The signals for or against it.
        public let signals: [TurnTrace.Signal]
    }

    /// The language model and its tokens.
    public struct Generation: Codable, Hashable, Sendable {
        /// Its name; missing without a language model.
        public let model: String?
        /// The templates of the prompt.
        public let prompts: [TurnTrace.Prompt]
        /// Tokens of the prompt.
        public let promptTokens: Int?
        /// Tokens of the answer.
        public let completionTokens: Int?
    }

    /// The turn.
    public let turnId: TurnID
    /// The filter of the search.
    public let filter: Filter
    /// The searched question, if it differs from the asked one; only for the asker.
    public let searchedQuestion: String?
    /// The signals that the search used; missing if it failed.
    public let mode: String?
    /// The embedding generation that was searched.
    public let embeddingGeneration: GenerationNumber?
    /// The hash of the search's settings.
    public let configuration: String?
    /// Deviations from the configuration.
    public let notes: [String]
    /// The reason if there was no basis for an answer.
    public let noAnswerReason: String
    /// The found messages, best first, without those that the asker may no longer see.
    public let hits: [Hit]
    /// The generation of the answer.
    public let generation: Generation
    /// The duration of each stage in milliseconds.
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
