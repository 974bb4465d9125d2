package import ChatCore

/// The JSON form of an answer's trace: ids and numbers, no text of messages.
package struct TraceWire: Codable, Hashable, Sendable {
    /// The filter of the search.
    package struct Filter: Codable, Hashable, Sendable {
        /// The only conversations that were searched; missing for all that the asker saw.
        package let conversationIds: [ConversationID]?
        /// The only senders; missing for anyone.
        package let senderIds: [UserID]?
        /// The earliest moment.
        package let from: WireTime?
        /// The end, exclusive.
        package let to: WireTime?
        /// The most hits.
        package let limit: Int
        /// The asker's zone.
        package let timeZone: String?
    }

    /// A message that was found.
    package struct Hit: Codable, Hashable, Sendable {
        /// Its place, from 1.
        package let rank: Int
        /// Its conversation.
        package let conversationId: ConversationID
        /// The message.
        package let messageId: MessageID
        /// The score that decides the order.
        package let score: Double
        /// For display, 0...1.
        package let relevance: Double
        /// The signals for or against it.
        package let signals: [TurnTrace.Signal]
    }

    /// The language model and its tokens.
    package struct Generation: Codable, Hashable, Sendable {
        /// Its name; missing without a language model.
        package let model: String?
        /// The templates of the prompt.
        package let prompts: [TurnTrace.Prompt]
        /// Tokens of the prompt.
        package let promptTokens: Int?
        /// Tokens of the answer.
        package let completionTokens: Int?
    }

    /// The turn.
    package let turnId: TurnID
    /// The filter of the search.
    package let filter: Filter
    /// The searched question, if it differs from the asked one; only for the asker.
    package let searchedQuestion: String?
    /// The signals that the search used; missing if it failed.
    package let mode: String?
    /// The embedding generation that was searched.
    package let embeddingGeneration: GenerationNumber?
    /// The hash of the search's settings.
    package let configuration: String?
    /// Deviations from the configuration.
    package let notes: [String]
    /// The reason if there was no basis for an answer.
    package let noAnswerReason: String
    /// The found messages, best first, without those that the asker may no longer see.
    package let hits: [Hit]
    /// The generation of the answer.
    package let generation: Generation
    /// The duration of each stage in milliseconds.
    package let durations: [String: Double]

    /// Makes the wire form of a turn's trace.
    package init(_ trace: TurnTrace, of id: TurnID) {
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
