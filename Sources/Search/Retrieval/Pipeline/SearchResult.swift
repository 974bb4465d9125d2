package import ChatCore

/// A message that was found.
package struct Hit: Hashable, Sendable {
    /// The message, as it is in the store now.
    package let message: Message
    /// Its conversation.
    package let conversation: PermittedConversation
    /// Its place in the result, from 1.
    package let rank: Int
    /// For display: the cosine of question and message, limited to 0...1, or that of a hit below it if that is higher.
    ///
    /// It never rises down the list. The order is based on more signals. The cosine itself is in the explanation.
    package let relevance: Double
    /// The score that decides the order; higher is better, comparable only within one search.
    package let score: Double
    /// The part of a long message that was found; nil when it has one passage, or was found by words alone.
    package let passage: FoundPassage?
    /// The UTF-8 bytes of the sentence in a long message's searchable text that fits the question best; nil for a short
    /// message, or if no place in it was found.
    package let place: Range<Int>?
    /// The other messages that say the same, newest first; the hit is the newest of all.
    ///
    /// The asker may see all of them. At most the newest ``duplicateLimit`` are listed.
    package let duplicates: [MessageKey]
    /// The parts of the score; nil unless requested.
    package let explanation: HitExplanation?

    /// The most messages that a hit lists as its duplicates.
    package static let duplicateLimit = 100

    package init(
        message: Message, conversation: PermittedConversation, rank: Int, relevance: Double, score: Double? = nil,
        passage: FoundPassage? = nil, place: Range<Int>? = nil, duplicates: [MessageKey] = [],
        explanation: HitExplanation? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.rank = rank
        self.relevance = relevance
        self.score = score ?? relevance
        self.passage = passage
        self.place = place ?? passage?.range
        self.duplicates = duplicates
        self.explanation = explanation
    }
}

/// The part of a long message that fits a question best.
package struct FoundPassage: Hashable, Sendable {
    /// Its position among the passages of the message, from 0.
    package let ordinal: Int
    /// Its UTF-8 bytes in the message's searchable text.
    package let range: Range<Int>

    package init(ordinal: Int, range: Range<Int>) {
        self.ordinal = ordinal
        self.range = range
    }
}

/// The parts of a hit's score.
package struct HitExplanation: Hashable, Sendable {
    /// One feature that counts for a message, or against it.
    package struct Signal: Hashable, Sendable {
        /// A stable name, such as `cosine`, `lexical` or `speaker`.
        package let name: String
        /// Its value without a weight.
        package let value: Double
        /// What it adds to the score.
        package let contribution: Double
        /// The message's rank by this signal alone, from 1; nil for signals that give no ranking.
        package let rank: Int?

        package init(name: String, value: Double, contribution: Double, rank: Int? = nil) {
            self.name = name
            self.value = value
            self.contribution = contribution
            self.rank = rank
        }
    }

    /// The signals that counted, in a fixed order; the contributions add up to the score of the fusion.
    package var signals: [Signal]

    package init(signals: [Signal]) {
        self.signals = signals
    }
}

/// The signals that a search is based on.
package enum RetrievalMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Vectors and words.
    case hybrid
    /// Words only: no vectors, or no embedding service.
    case lexicalOnly = "lexical_only"
    /// Vectors only.
    case denseOnly = "dense_only"
}

/// Why a search gives no basis for an answer.
package enum NoAnswerReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Something was found.
    case none
    /// The hits are less similar to the question than answers usually are; they are returned anyway.
    case belowThreshold = "below_threshold"
    /// The asker sees no message there, or none passes the filter.
    case nothingInScope = "nothing_in_scope"
    /// The search itself failed, for instance without the embedding service.
    case searchFailed = "search_failed"
}

/// The result of a search.
package struct SearchResult: Hashable, Sendable {
    /// The hits, best first; at most as many as requested.
    package var hits: [Hit]
    /// The signals that it is based on.
    package var mode: RetrievalMode
    /// The generation whose vectors were searched; nil before the first message was embedded.
    package var generation: GenerationNumber?
    /// Whether the hits are likely to answer the question; ``NoAnswerReason/nothingInScope`` without hits.
    package var noAnswerReason: NoAnswerReason
    /// The confidence that the best hits answer the question, which is compared with thresholds; nil without hits.
    package var confidence: Double?
    /// The steps of the search.
    package var trace: SearchTrace
    /// What people say about hits that later messages replaced or did not, in the order in which it was said; empty if it
    /// was not asked for.
    package var verdicts: [ReplacementVerdict] = []
    /// Where the next page begins; nil if there is none.
    package var continuation: SearchContinuation?

    package init(
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

/// The steps of a search.
package struct SearchTrace: Hashable, Sendable {
    /// A step that differed from the configuration; the search continued.
    package enum Note: String, Hashable, Sendable, Codable, CaseIterable {
        /// The embedding service did not answer, so words alone were searched.
        case embeddingFailed = "embedding_failed"
        /// The tokens of the best messages could not be compared, so the order is that of the fusion.
        case tokensFailed = "tokens_failed"
        /// The reranking service did not answer, so the order is that of the fusion.
        case rerankFailed = "rerank_failed"
        /// A language model rewrote the question so that it can be understood without the conversation.
        case rewritten
        /// The language model was asked to rewrite the question, but gave no usable result.
        case rewriteFailed = "rewrite_failed"
        /// Names or words of earlier questions were added.
        case carriedOver = "carried_over"
    }

    /// The hash of the configuration in effect; empty when unknown.
    package var configuration: String
    /// The question that was searched for; it may contain words of earlier questions.
    package var standaloneQuestion: String
    /// The steps that differed, in order.
    package var notes: [Note]
    /// The duration of each stage, by its name.
    package var durations: [String: Duration]

    package init(
        configuration: String = "", standaloneQuestion: String = "", notes: [Note] = [],
        durations: [String: Duration] = [:]
    ) {
        self.configuration = configuration
        self.standaloneQuestion = standaloneQuestion
        self.notes = notes
        self.durations = durations
    }
}
