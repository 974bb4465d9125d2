/// How an answer came about, in ids and numbers: enough to search again and compare.
///
/// It holds no text of messages. It goes with its turn, and when the turn is redacted.
public struct TurnTrace: Hashable, Sendable, Codable {
    /// The most hits that are kept.
    public static let hitLimit = 50

    /// A message that was found.
    public struct Hit: Hashable, Sendable, Codable {
        /// The message.
        public var key: MessageKey
        /// Its place among the hits, from 1.
        public var rank: Int
        /// What the order goes by; higher is better, comparable within one search only.
        public var score: Double
        /// For display, 0...1; not the order.
        public var relevance: Double
        /// What spoke for it or against it, in a fixed order.
        public var signals: [Signal]

        public init(key: MessageKey, rank: Int, score: Double, relevance: Double, signals: [Signal]) {
            self.key = key
            self.rank = rank
            self.score = score
            self.relevance = relevance
            self.signals = signals
        }
    }

    /// One thing that spoke for a message or against it.
    public struct Signal: Hashable, Sendable, Codable {
        /// A stable word, as `cosine` or `lexical`.
        public var name: String
        /// Its own value, before any weight.
        public var value: Double
        /// What it added to the score.
        public var contribution: Double
        /// The message's place when only this signal counts, from 1; nil where the signal ranks nothing.
        public var rank: Int?

        public init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
            self.name = name
            self.value = value
            self.contribution = contribution
            self.rank = rank
        }
    }

    /// A template of a prompt that was in use.
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

    /// The only conversations that were searched, ordered; nil for all that the asker saw.
    public var conversationIDs: [ConversationID]?
    /// The only senders, ordered; nil for anyone.
    public var senderIDs: [UserID]?
    /// The earliest moment that passed.
    public var from: Timestamp?
    /// The first moment that did not pass any more.
    public var to: Timestamp?
    /// The most hits that were asked for.
    public var limit: Int
    /// The asker's zone, when known.
    public var timeZone: String?
    /// What was searched for where it was not the question as asked: it was made to stand alone, or words were added.
    ///
    /// For the asker alone, as the question is.
    public var searchedQuestion: String?
    /// Which signals the search stood on; nil when it failed.
    public var mode: String?
    /// The embedding generation that was searched.
    public var generation: GenerationNumber?
    /// The hash of the search's settings; nil when the search failed.
    public var configuration: String?
    /// What went otherwise than configured, in stable words.
    public var notes: [String]
    /// Why there was nothing to stand on, `none` otherwise.
    public var noAnswerReason: String
    /// What was found, best first.
    public var hits: [Hit]
    /// The templates that the answer was made with.
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
