/// How an answer came about, as ids and numbers: enough to repeat the search and compare.
///
/// It contains no text of messages. It is deleted with its turn, and when the turn is redacted.
package struct TurnTrace: Hashable, Sendable, Codable {
    /// The most hits that are stored.
    package static let hitLimit = 50

    /// A message that was found.
    package struct Hit: Hashable, Sendable, Codable {
        /// The message.
        package var key: MessageKey
        /// Its place among the hits, from 1.
        package var rank: Int
        /// The value that decides the order; higher is better, comparable within one search only.
        package var score: Double
        /// For display, 0...1; not the order.
        package var relevance: Double
        /// The signals for and against it, in a fixed order.
        package var signals: [Signal]

        package init(key: MessageKey, rank: Int, score: Double, relevance: Double, signals: [Signal]) {
            self.key = key
            self.rank = rank
            self.score = score
            self.relevance = relevance
            self.signals = signals
        }
    }

    /// A signal for or against a message.
    package struct Signal: Hashable, Sendable, Codable {
        /// A stable code, such as `cosine` or `lexical`.
        package var name: String
        /// The value before any weight.
        package var value: Double
        /// Its contribution to the score.
        package var contribution: Double
        /// The message's place by this signal alone, from 1; nil if the signal does not rank.
        package var rank: Int?

        package init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
            self.name = name
            self.value = value
            self.contribution = contribution
            self.rank = rank
        }
    }

    /// A template of a prompt that was used.
    package struct Prompt: Hashable, Sendable, Codable {
        /// Its name.
        package var name: String
        /// The version that its header gives.
        package var version: Int
        /// A hash of its file.
        package var fingerprint: String

        package init(name: String, version: Int, fingerprint: String) {
            self.name = name
            self.version = version
            self.fingerprint = fingerprint
        }
    }

    /// The conversations that the search was limited to, ordered; nil for all that the asker may see.
    package var conversationIDs: [ConversationID]?
    /// The senders that the search was limited to; nil for anyone.
    package var senderIDs: [UserID]?
    /// The earliest allowed moment.
    package var from: Timestamp?
    /// The first moment after the allowed ones.
    package var to: Timestamp?
    /// The requested number of hits.
    package var limit: Int
    /// The asker's time zone, if known.
    package var timeZone: String?
    /// The searched text if it differs from the question: it was rewritten to be understood alone, or words were added.
    ///
    /// Only for the asker, like the question.
    package var searchedQuestion: String?
    /// The signals that the search used; nil when it failed.
    package var mode: String?
    /// The embedding generation that was searched.
    package var generation: GenerationNumber?
    /// The hash of the search's settings; nil when the search failed.
    package var configuration: String?
    /// Deviations from the configured search, as stable codes.
    package var notes: [String]
    /// Why there was no basis for an answer, `none` otherwise.
    package var noAnswerReason: String
    /// The hits, best first.
    package var hits: [Hit]
    /// The templates that were used.
    package var prompts: [Prompt]
    /// The language model's name; nil without one.
    package var model: String?
    /// Tokens of the prompt, as the model's service counted them.
    package var promptTokenCount: Int?
    /// Tokens of the answer, as the model's service counted them.
    package var completionTokenCount: Int?
    /// How long each stage took, in microseconds.
    package var durations: [String: Int64]

    package init(
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
