/// How an answer came about, as ids and numbers: enough to repeat the search and compare.
///
/// It contains no text of messages. It is deleted with its turn, and when the turn is redacted.
public struct TurnTrace: Hashable, Sendable, Codable {
    /// The most hits that are stored.
    public static let hitLimit = 50

    /// A message that was found.
    public struct Hit: Hashable, Sendable, Codable {
        /// The message.
        public var key: MessageKey
        /// Its place among the hits, from 1.
        public var rank: Int
        /// The value that decides the order; higher is better, comparable within one search only.
        public var score: Double
        /// For display, 0...1; not the order.
        public var relevance: Double
        /// The signals for and against it, in a fixed order.
        public var signals: [Signal]

        public init(key: MessageKey, rank: Int, score: Double, relevance: Double, signals: [Signal]) {
            self.key = key
            self.rank = rank
            self.score = score
            self.relevance = relevance
            self.signals = signals
        }
    }

    /// A signal for or against a message.
    public struct Signal: Hashable, Sendable, Codable {
        /// A stable code, such as `cosine` or `lexical`.
        public var name: String
        /// The value before any weight.
        public var value: Double
        /// Its contribution to the score.
        public var contribution: Double
        /// The message's place by this signal alone, from 1; nil if the signal does not rank.
        public var rank: Int?

        public init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
            self.name = name
            self.value = value
            self.contribution = contribution
            self.rank = rank
        }
    }

    /// A template of a prompt that was used.
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

    /// The conversations that the search was limited to, ordered; nil for all that the asker may see.
    public var conversationIDs: [ConversationID]?
    /// The senders that the search was limited to; nil for anyone.
    public var senderIDs: [UserID]?
    /// The earliest allowed moment.
    public var from: Timestamp?
    /// The first moment after the allowed ones.
    public var to: Timestamp?
    /// The requested number of hits.
    public var limit: Int
    /// The asker's time zone, if known.
    public var timeZone: String?
    /// The searched text if it differs from the question: it was rewritten to be understood alone, or words were added.
    ///
    /// Only for the asker, like the question.
    public var searchedQuestion: String?
    /// The signals that the search used; nil when it failed.
    public var mode: String?
    /// The embedding generation that was searched.
    public var generation: GenerationNumber?
    /// The hash of the search's settings; nil when the search failed.
    public var configuration: String?
    /// Deviations from the configured search, as stable codes.
    public var notes: [String]
    /// Why there was no basis for an answer, `none` otherwise.
    public var noAnswerReason: String
    /// The hits, best first.
    public var hits: [Hit]
    /// The templates that were used.
    public var prompts: [Prompt]
    /// The language model's name; nil without one.
    public var model: String?
    /// Tokens of the prompt, as the model's service counted them.
    public var promptTokenCount: Int?
    /// Tokens of the answer, as the model's service counted them.
    public var completionTokenCount: Int?
    /// How long each stage took, in microseconds.
    public var durations: [String: Int64]

    public init(
        conversationIDs: [ConversationID]? = nil, senderIDs: [UserID]? = nil, from: Timestamp? = nil,
        to: Timestamp? = nil, limit: Int, timeZone: String? = nil, searchedQuestion: String? = nil,
        mode: String? = nil, generation: GenerationNumber? = nil, configuration: String? = nil, notes: [String] = [],
        noAnswerReason: String, hits: [Hit] = [], prompts: [Prompt] = [], model: String? = nil,
        promptTokenCount: Int? = nil, completionTokenCount: Int? = nil, durations: [String: Int64] = [:]
    ) {
        self.conversationIDs = conversationIDs
        self.senderIDs = senderIDs
        self.from = from
        self.to = to
        self.limit = limit
        self.timeZone = timeZone
        self.searchedQuestion = searchedQuestion
        self.mode = mode
        self.generation = generation
        self.configuration = configuration
        self.notes = notes
        self.noAnswerReason = noAnswerReason
        self.hits = hits
        self.prompts = prompts
        self.model = model
        self.promptTokenCount = promptTokenCount
        self.completionTokenCount = completionTokenCount
        self.durations = durations
    }
}
