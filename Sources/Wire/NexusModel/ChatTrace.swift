public import Foundation

/// How an answer was made, as ids and numbers without text of messages: the reply of `GET /v1/turns/{turn}/trace`.
public struct ChatTrace: Hashable, Sendable, Codable {
    /// The filter of the search.
    public struct Filter: Hashable, Sendable, Codable {
        /// The only conversations that were searched; nil for all that the asker saw.
        public var conversationIds: [String]?
        /// The only senders; nil for anyone.
        public var senderIds: [String]?
        /// The earliest moment.
        public var from: Date?
        /// The end, exclusive.
        public var to: Date?
        /// The most hits.
        public var limit: Int
        /// The IANA name of the asker's time zone.
        public var timeZone: String?

        public init(
            conversationIds: [String]? = nil, senderIds: [String]? = nil, from: Date? = nil, to: Date? = nil,
            limit: Int, timeZone: String? = nil
        ) {
            self.conversationIds = conversationIds
            self.senderIds = senderIds
            self.from = from
            self.to = to
            self.limit = limit
            self.timeZone = timeZone
        }
    }

    /// A message that was found.
    public struct Hit: Hashable, Sendable, Codable {
        /// Its place, from 1.
        public var rank: Int
        /// Its conversation.
        public var conversationId: String
        /// The message.
        public var messageId: String
        /// The score that decides the order; higher is better.
        public var score: Double
        /// For display, 0...1.
        public var relevance: Double
        /// The signals for or against it.
        public var signals: [SearchSignal]

        public init(
            rank: Int, conversationId: String, messageId: String, score: Double, relevance: Double,
            signals: [SearchSignal]
        ) {
            self.rank = rank
            self.conversationId = conversationId
            self.messageId = messageId
            self.score = score
            self.relevance = relevance
            self.signals = signals
        }
    }

    /// A template of a prompt.
    public struct Prompt: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String
        /// The version that its header gives.
        public var version: Int
        /// A hash of its file.
        public var fingerprint: String

        public init(name: String, version: Int, fingerprint: String) {
            self.name = name
            self.version = version
            self.fingerprint = fingerprint
        }
    }

    /// The language model and its tokens.
    public struct Generation: Hashable, Sendable, Codable {
        /// Its name; nil without a language model.
        public var model: String?
        /// The templates of the prompt.
        public var prompts: [Prompt]
        /// Tokens of the prompt.
        public var promptTokens: Int?
        /// Tokens of the answer.
        public var completionTokens: Int?

        public init(model: String?, prompts: [Prompt], promptTokens: Int?, completionTokens: Int?) {
            self.model = model
            self.prompts = prompts
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
        }
    }

    /// The turn.
    public var turnId: String
    /// The filter of the search.
    public var filter: Filter
    /// The searched question, if it differs from the asked one; only for the asker.
    public var searchedQuestion: String?
    /// The signals that the search used; nil if it failed.
    public var mode: String?
    /// The embedding generation that was searched.
    public var embeddingGeneration: Int64?
    /// The hash of the search's settings.
    public var configuration: String?
    /// Deviations from the configuration.
    public var notes: [String]
    /// The reason if there was no basis for an answer.
    public var noAnswerReason: String
    /// The found messages, best first, without those that the asker may no longer see.
    public var hits: [Hit]
    /// The generation of the answer.
    public var generation: Generation
    /// The duration of each stage, in milliseconds.
    public var durations: [String: Double]

    public init(
        turnId: String, filter: Filter, searchedQuestion: String? = nil, mode: String?, embeddingGeneration: Int64?,
        configuration: String?, notes: [String], noAnswerReason: String, hits: [Hit], generation: Generation,
        durations: [String: Double]
    ) {
        self.turnId = turnId
        self.filter = filter
        self.searchedQuestion = searchedQuestion
        self.mode = mode
        self.embeddingGeneration = embeddingGeneration
        self.configuration = configuration
        self.notes = notes
        self.noAnswerReason = noAnswerReason
        self.hits = hits
        self.generation = generation
        self.durations = durations
    }
}
