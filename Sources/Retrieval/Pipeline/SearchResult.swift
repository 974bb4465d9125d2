public import ChatCore

/// A message that was found.
public struct Hit: Hashable, Sendable {
    /// The message, as the store holds it now.
    public let message: Message
    /// Where it is.
    public let conversation: PermittedConversation
    /// Its place, from 1.
    public let rank: Int
    /// For display: the cosine of question and message, cut to 0...1, or that of a hit below it if that is higher.
    ///
    /// It falls down the list. The order stands on more; the cosine alone is among the explanation's signals.
    public let relevance: Double
    /// What the order goes by; higher is better, comparable within one search only.
    public let score: Double
    /// Which part of a long message was found; nil when all of it is one passage, or it was found by words alone.
    public let passage: FoundPassage?
    /// How the score came about; nil unless asked for.
    public let explanation: HitExplanation?

    public init(
        message: Message, conversation: PermittedConversation, rank: Int, relevance: Double, score: Double? = nil,
        passage: FoundPassage? = nil, explanation: HitExplanation? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.rank = rank
        self.relevance = relevance
        self.score = score ?? relevance
        self.passage = passage
        self.explanation = explanation
    }
}

/// The part of a long message that fits a question best.
public struct FoundPassage: Hashable, Sendable {
    /// Its place among the passages of the message, from 0.
    public let ordinal: Int
    /// Which UTF-8 bytes of the message's searchable text it is.
    public let range: Range<Int>

    public init(ordinal: Int, range: Range<Int>) {
        self.ordinal = ordinal
        self.range = range
    }
}

/// How the score of a hit came about.
public struct HitExplanation: Hashable, Sendable {
    /// One thing that speaks for a message, or against it.
    public struct Signal: Hashable, Sendable {
        /// A stable word: `cosine`, `lexical`, `speaker`.
        public let name: String
        /// Its own value, before any weight.
        public let value: Double
        /// What it adds to the score.
        public let contribution: Double
        /// The message's place when only this signal counts, from 1; nil where the signal ranks nothing.
        public let rank: Int?

        public init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
            self.name = name
            self.value = value
            self.contribution = contribution
            self.rank = rank
        }
    }

    /// What counted, in a fixed order; the contributions add up to the score of the fusion.
    public var signals: [Signal]

    public init(signals: [Signal]) {
        self.signals = signals
    }
}

/// Which signals a search stood on.
public enum RetrievalMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Vectors and words.
    case hybrid
    /// Words only: no vectors, or no embedding service.
    case lexicalOnly = "lexical_only"
    /// Vectors only.
    case denseOnly = "dense_only"
}

/// Why a search found nothing to stand on.
public enum NoAnswerReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Something was found.
    case none
    /// What was found is less alike than what answers questions as a rule; it is shown all the same.
    case belowThreshold = "below_threshold"
    /// The asker sees no message there, or none passes the filter.
    case nothingInScope = "nothing_in_scope"
    /// The search itself failed, for want of the embedding service for instance.
    case searchFailed = "search_failed"
}

/// What a search found.
public struct SearchResult: Hashable, Sendable {
    /// Best first; at most as many as asked for.
    public var hits: [Hit]
    /// Which signals it stood on.
    public var mode: RetrievalMode
    /// The generation whose vectors were searched; nil before the first message was embedded.
    public var generation: GenerationNumber?
    /// Whether what was found is likely to answer; ``NoAnswerReason/nothingInScope`` when there are no hits.
    public var noAnswerReason: NoAnswerReason
    /// How sure it is that the best hits answer, what thresholds are compared with: higher is surer; nil without hits.
    public var confidence: Double?
    /// How it was searched.
    public var trace: SearchTrace

    public init(
        hits: [Hit], mode: RetrievalMode, generation: GenerationNumber?, noAnswerReason: NoAnswerReason? = nil,
        confidence: Double? = nil, trace: SearchTrace = SearchTrace()
    ) {
        self.hits = hits
        self.mode = mode
        self.generation = generation
        self.noAnswerReason = noAnswerReason ?? (hits.isEmpty ? .nothingInScope : .none)
        self.confidence = confidence
        self.trace = trace
    }
}

/// How a search went.
public struct SearchTrace: Hashable, Sendable {
    /// Something that went otherwise than configured; the search went on.
    public enum Note: String, Hashable, Sendable, Codable, CaseIterable {
        /// The embedding service did not answer: words alone were searched.
        case embeddingFailed = "embedding_failed"
        /// The tokens of the best messages could not be compared: the order is that of the fusion.
        case tokensFailed = "tokens_failed"
        /// The reranking service did not answer: the order is that of the fusion.
        case rerankFailed = "rerank_failed"
        /// The question was made to stand alone by a language model.
        case rewritten
        /// The language model was asked to make the question stand alone, and gave nothing of use.
        case rewriteFailed = "rewrite_failed"
        /// Names or words of earlier questions were added.
        case carriedOver = "carried_over"
    }

    /// The hash of the configuration in effect; empty when unknown.
    public var configuration: String
    /// What was searched for in the end; it may hold words of earlier questions.
    public var standaloneQuestion: String
    /// What went otherwise, in order.
    public var notes: [Note]
    /// How long each stage took, by its name.
    public var durations: [String: Duration]

    public init(
        configuration: String = "", standaloneQuestion: String = "", notes: [Note] = [],
        durations: [String: Duration] = [:]
    ) {
        self.configuration = configuration
        self.standaloneQuestion = standaloneQuestion
        self.notes = notes
        self.durations = durations
    }
}
