public import Foundation

/// The place of a message: what an app shows when a person taps a source.
public struct MessagePlace: Hashable, Sendable, Codable {
    /// The conversation.
    public var conversationId: String
    /// The message; unique within its conversation only.
    public var messageId: String

    public init(conversationId: String, messageId: String) {
        self.conversationId = conversationId
        self.messageId = messageId
    }
}

/// An answer of the assistant: the reply of `POST /v1/ask`, and the last event of its stream.
public struct ChatAnswer: Hashable, Sendable, Codable {
    /// A message that the answer may be based on.
    public struct Source: Hashable, Sendable, Codable {
        /// The conversation.
        public var conversationId: String
        /// Its name.
        public var conversationName: String
        /// The message.
        public var messageId: String
        /// The sentences of its text that were found.
        public var excerpt: String
        /// The offset of the excerpt in the message's text, in UTF-16 code units; nil within a file.
        public var start: Int?
        /// The offset after the excerpt.
        public var end: Int?
        /// Where in one of its files the excerpt is; nil if it is in the text.
        public var file: FilePlace?
        /// The writer's name.
        public var senderName: String
        /// When it was written.
        public var timestamp: Date?
        /// For display, 0...1; the order is ``rank``.
        public var relevanceScore: Double?
        /// Its number in the answer; nil if it is not cited.
        public var number: Int?
        /// Its place among the hits, from 1.
        public var rank: Int?
        /// A link to it in the application that it came from.
        public var url: String?
        /// Other messages that say the same, newest first; nil for none.
        public var duplicates: [MessagePlace]?
        /// A later message that replaces what this one says, such as a moved date; nil for none.
        public var replacedBy: MessagePlace?
        /// What a person said last about it and a later message; nil if nobody did.
        public var verdict: ChatVerdict?

        public init(
            conversationId: String, conversationName: String, messageId: String, excerpt: String, senderName: String,
            number: Int? = nil, timestamp: Date? = nil
        ) {
            self.conversationId = conversationId
            self.conversationName = conversationName
            self.messageId = messageId
            self.excerpt = excerpt
            self.senderName = senderName
            self.number = number
            self.timestamp = timestamp
        }

        /// Where a tap on the source leads.
        public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }
    }

    /// A number used in the answer.
    public struct Citation: Hashable, Sendable, Codable {
        /// The number of the source.
        public var number: Int
        /// The message.
        public var messageId: String
        /// Its conversation.
        public var conversationId: String
        /// The offset of its first character in the answer, brackets included.
        public var start: Int
        /// The offset after its last character; ``start`` if the check of a streamed text added it at the end of its
        /// sentence.
        public var end: Int
        /// What the message says about the sentence; nil if it was not checked.
        public var support: Support?
        /// How surely the message supports the sentence alone, 0...1; nil if it was not checked.
        public var score: Double?

        public init(
            number: Int, messageId: String, conversationId: String, start: Int, end: Int, support: Support? = nil,
            score: Double? = nil
        ) {
            self.number = number
            self.messageId = messageId
            self.conversationId = conversationId
            self.start = start
            self.end = end
            self.support = support
            self.score = score
        }

        /// Where a tap on the citation leads.
        public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }

        /// Returns the part of an answer that is the citation; nil if the text does not reach that far.
        ///
        /// - Complexity: O(``end``): characters are counted from the start.
        public func range(in text: some StringProtocol) -> Range<String.Index>? {
            guard start >= 0, start < end,
                let first = text.index(text.startIndex, offsetBy: start, limitedBy: text.endIndex),
                let last = text.index(first, offsetBy: end - start, limitedBy: text.endIndex)
            else { return nil }
            return first..<last
        }
    }

    /// What messages say about a sentence of an answer; a later server may send other words.
    public enum Support: OpenWord {
        /// All of it is stated.
        case supported
        /// A part of it is.
        case partly
        /// The messages do not state it.
        case unsupported
        /// The messages state something else: another number, day or person, or the opposite.
        case contradicted
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Support] = [.supported, .partly, .unsupported, .contradicted]

        /// The word.
        public var rawValue: String {
            switch self {
            case .supported: "supported"
            case .partly: "partly"
            case .unsupported: "unsupported"
            case .contradicted: "contradicted"
            case .unknown(let word): word
            }
        }
    }

    /// Why a sentence is not supported; a later server may send other words.
    public enum SupportReason: OpenWord {
        /// Another number or amount.
        case number
        /// Another time of day.
        case time
        /// Another day.
        case date
        /// Another person.
        case name
        /// One says "not", the other does not.
        case negation
        /// A word that means the opposite.
        case opposite
        /// Another order of events.
        case order
        /// Words that no message resembles.
        case content
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [SupportReason] = [
            .number, .time, .date, .name, .negation, .opposite, .order, .content,
        ]

        /// The word.
        public var rawValue: String {
            switch self {
            case .number: "number"
            case .time: "time"
            case .date: "date"
            case .name: "name"
            case .negation: "negation"
            case .opposite: "opposite"
            case .order: "order"
            case .content: "content"
            case .unknown(let word): word
            }
        }
    }

    /// A sentence of a checked answer.
    public struct Sentence: Hashable, Sendable, Codable {
        /// The offset of its first character in the answer.
        public var start: Int
        /// The offset after its last character, citations included.
        public var end: Int
        /// Whether it states something; a greeting, a heading or a question does not.
        public var needsSource: Bool
        /// What the messages say about it; nil if it needs no source or could not be compared.
        public var support: Support?
        /// How surely the messages support it, 0...1; nil as ``support``.
        public var score: Double?
        /// Why it is not supported; nil if it is.
        public var reasons: [SupportReason]?

        public init(
            start: Int, end: Int, needsSource: Bool, support: Support? = nil, score: Double? = nil,
            reasons: [SupportReason]? = nil
        ) {
            self.start = start
            self.end = end
            self.needsSource = needsSource
            self.support = support
            self.score = score
            self.reasons = reasons
        }
    }

    /// What a conversation's assistant read for the answer.
    public struct Coverage: Hashable, Sendable, Codable {
        /// The number of messages in the requested part of the conversation.
        public var messageCount: Int
        /// Those of them that were read as summaries.
        public var summarizedCount: Int
        /// The summaries that were written for this answer.
        public var writtenCount: Int

        public init(messageCount: Int, summarizedCount: Int, writtenCount: Int) {
            self.messageCount = messageCount
            self.summarizedCount = summarizedCount
            self.writtenCount = writtenCount
        }
    }

    /// How the messages were found.
    public struct Retrieval: Hashable, Sendable, Codable {
        /// The signals that the search used, such as `hybrid`; nil if it failed.
        public var mode: String?
        /// The embedding generation that was searched.
        public var generation: Int64?
        /// The hash of the search's settings; nil if the search failed.
        public var configuration: String?
        /// Deviations from the configuration; nil for none.
        public var notes: [String]?
        /// The ids of ``promptMessages``, which are unique within a conversation only.
        public var promptMessageIds: [String]
        /// The messages in the prompt, in its order.
        public var promptMessages: [MessagePlace]

        public init(
            mode: String?, generation: Int64?, configuration: String?, notes: [String]?, promptMessages: [MessagePlace]
        ) {
            self.mode = mode
            self.generation = generation
            self.configuration = configuration
            self.notes = notes
            promptMessageIds = promptMessages.map(\.messageId)
            self.promptMessages = promptMessages
        }
    }

    /// The tokens that the model's service counted.
    public struct Usage: Hashable, Sendable, Codable {
        /// Tokens of the prompt.
        public var promptTokens: Int
        /// Tokens of the answer.
        public var completionTokens: Int

        public init(promptTokens: Int, completionTokens: Int) {
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
        }
    }

    /// The stored turn, for feedback; nil from a server that keeps none.
    public var turnId: String?
    /// The answer.
    public var answer: String
    /// The sources by rank.
    public var sources: [Source]
    /// The citations in order of the text.
    public var citations: [Citation]
    /// The sentences of a checked answer, in order; nil if it was not checked.
    public var sentences: [Sentence]?
    /// The reason if there was no basis for an answer.
    public var noAnswerReason: NoAnswerReason
    /// Notices for the reader.
    public var notices: [AnswerNotice]
    /// The day up to whose end messages were read, as `2026-10-01`, or a time; nil for the present.
    public var asOf: String?
    /// What the answer covers; nil for a question across conversations.
    public var coverage: Coverage?
    /// When the question was asked.
    public var queryTime: Date?
    /// How the messages were found.
    public var retrieval: Retrieval?
    /// The tokens that the model's service counted.
    public var usage: Usage?

    public init(
        turnId: String? = nil, answer: String, sources: [Source] = [], citations: [Citation] = [],
        sentences: [Sentence]? = nil,
        noAnswerReason: NoAnswerReason = .answered, notices: [AnswerNotice] = [], coverage: Coverage? = nil,
        queryTime: Date? = nil, retrieval: Retrieval? = nil, usage: Usage? = nil
    ) {
        self.turnId = turnId
        self.answer = answer
        self.sources = sources
        self.citations = citations
        self.sentences = sentences
        self.noAnswerReason = noAnswerReason
        self.notices = notices
        self.coverage = coverage
        self.queryTime = queryTime
        self.retrieval = retrieval
        self.usage = usage
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        turnId = try fields.decodeIfPresent(String.self, forKey: .turnId)
        answer = try fields.decode(String.self, forKey: .answer)
        sources = try fields.decode([Source].self, forKey: .sources)
        citations = try fields.decodeIfPresent([Citation].self, forKey: .citations) ?? []
        sentences = try fields.decodeIfPresent([Sentence].self, forKey: .sentences)
        noAnswerReason = try fields.decodeIfPresent(NoAnswerReason.self, forKey: .noAnswerReason) ?? .answered
        notices = try fields.decodeIfPresent([AnswerNotice].self, forKey: .notices) ?? []
        asOf = try fields.decodeIfPresent(String.self, forKey: .asOf)
        coverage = try fields.decodeIfPresent(Coverage.self, forKey: .coverage)
        queryTime = try fields.decodeIfPresent(Date.self, forKey: .queryTime)
        retrieval = try fields.decodeIfPresent(Retrieval.self, forKey: .retrieval)
        usage = try fields.decodeIfPresent(Usage.self, forKey: .usage)
    }
}

/// Why there was no basis for an answer; a later server may send other words.
public enum NoAnswerReason: OpenWord {
    /// There is an answer.
    case answered
    /// The messages found are unlikely to answer; they are shown.
    case belowThreshold
    /// The asker sees no message that matches the filters.
    case nothingInScope
    /// The search failed.
    case searchFailed
    /// A word of a later server.
    case unknown(String)

    /// The words of this version.
    public static let allCases: [NoAnswerReason] = [.answered, .belowThreshold, .nothingInScope, .searchFailed]

    /// The word.
    public var rawValue: String {
        switch self {
        case .answered: "none"
        case .belowThreshold: "below_threshold"
        case .nothingInScope: "nothing_in_scope"
        case .searchFailed: "search_failed"
        case .unknown(let word): word
        }
    }
}

/// Something that a reader of an answer should know; a later server may send other words.
public enum AnswerNotice: OpenWord {
    /// No language model is configured; the best messages are quoted.
    case extractive
    /// The model failed before its first word; the best messages are quoted.
    case modelUnavailable
    /// The token limit cut the answer off.
    case truncated
    /// The model service filtered the answer.
    case filtered
    /// The service counted far fewer tokens than were sent.
    case promptCut
    /// Links were removed from the answer.
    case linksRemoved
    /// Messages were left out.
    case incomplete
    /// The model cited nothing; the sources list what it was given.
    case uncited
    /// Sentences that no message supports were removed.
    case sentencesRemoved
    /// It says what was known at ``ChatAnswer/asOf``.
    case asOf
    /// The disk could not take the turn.
    case notStored
    /// A word of a later server.
    case unknown(String)

    /// The words of this version.
    public static let allCases: [AnswerNotice] = [
        .extractive, .modelUnavailable, .truncated, .filtered, .promptCut, .linksRemoved, .incomplete, .uncited,
        .sentencesRemoved, .asOf, .notStored,
    ]

    /// The word.
    public var rawValue: String {
        switch self {
        case .extractive: "extractive"
        case .modelUnavailable: "model_unavailable"
        case .truncated: "truncated"
        case .filtered: "filtered"
        case .promptCut: "prompt_cut"
        case .linksRemoved: "links_removed"
        case .incomplete: "incomplete"
        case .uncited: "uncited"
        case .sentencesRemoved: "sentences_removed"
        case .asOf: "as_of"
        case .notStored: "not_stored"
        case .unknown(let word): word
        }
    }
}
