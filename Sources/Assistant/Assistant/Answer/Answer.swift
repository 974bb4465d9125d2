package import AnswerSupport
package import ChatCore
package import Retrieval
package import TextAnalysis

/// A hit with its place in the prompt.
package struct Source: Hashable, Sendable {
    /// The number of its citations `[n]` in the answer, counted from 1 by first appearance; nil when it is not cited.
    package let number: Int?
    /// The message with its conversation, rank and relevance.
    package let hit: Hit
    /// A later message that replaces what this one says; nil for none.
    package var replacedBy: MessageKey?
    /// What a person said last of it; nil if nobody said anything.
    package var verdict: ReplacementVerdict?

    package init(
        number: Int?, hit: Hit, replacedBy: MessageKey? = nil, verdict: ReplacementVerdict? = nil
    ) {
        self.number = number
        self.hit = hit
        self.replacedBy = replacedBy
        self.verdict = verdict
    }
}

/// A number used in the answer.
package struct Citation: Hashable, Sendable {
    /// The source's number.
    package let number: Int
    /// The cited message.
    package let messageKey: MessageKey
    /// The characters of the answer that form the citation, brackets included; empty, at the end of its sentence, if the
    /// check found it after readers had the text.
    package let range: Range<Int>
    /// What the message says about the sentence that cites it; nil if it was not checked.
    package let support: Support?
    /// How surely it supports that sentence alone: 0...1; nil if it was not checked.
    package let score: Double?

    package init(
        number: Int, messageKey: MessageKey, range: Range<Int>, support: Support? = nil, score: Double? = nil
    ) {
        self.number = number
        self.messageKey = messageKey
        self.range = range
        self.support = support
        self.score = score
    }
}

/// Something about an answer that its reader should know.
package enum AnswerNotice: String, Hashable, Sendable, Codable, CaseIterable {
    /// No language model is configured: the best sources are quoted instead of an answer.
    case extractive
    /// The token limit cut the answer off.
    case truncated
    /// The model's service cut the answer off by one of its own rules.
    case filtered
    /// The service counted far fewer prompt tokens than were sent, so it cut the prompt and the answer may lack a
    /// basis.
    case promptCut = "prompt_cut"
    /// Links, addresses, images or HTML that no permitted message contains were removed from the answer.
    case linksRemoved = "links_removed"
    /// The language model failed: the best sources are quoted instead of an answer.
    case modelUnavailable = "model_unavailable"
    /// The disk is full or read-only: the turn is not in the history, and its id cannot be used later.
    case notStored = "not_stored"
    /// The language model cited nothing: the sources list what it was given.
    case uncited
    /// Parts of the conversation could neither be shown to the model nor be summarized for it.
    case incomplete
    /// Sentences that no message supports were removed.
    case sentencesRemoved = "sentences_removed"
    /// It says what was known at an earlier moment: see ``Answer/asOf``.
    case asOf = "as_of"
}

/// How much of a conversation an answer is based on.
package struct ConversationCoverage: Hashable, Sendable, Codable {
    /// The number of messages in the conversation or in the requested part, without system messages and empty ones.
    package var messageCount: Int
    /// The number of messages that the answer knows from summaries, even if they are also shown.
    package var summarizedCount: Int
    /// The number of summaries that were written for the answer.
    package var writtenCount: Int

    package init(messageCount: Int, summarizedCount: Int = 0, writtenCount: Int = 0) {
        self.messageCount = messageCount
        self.summarizedCount = summarizedCount
        self.writtenCount = writtenCount
    }
}

/// An answer with its sources and citations.
package struct Answer: Hashable, Sendable {
    /// The turn's id.
    package var turnID: TurnID
    /// The text; `[n]` in it are citations of sources.
    package var text: String
    /// The best sources and every cited one, ordered by rank; at least as many as requested if enough were found.
    ///
    /// Of an answer of a model that cites nothing, every source that it was shown, at most 100: what the search found,
    /// then the newest messages of the conversation.
    package var sources: [Source]
    /// The citations, in order of the text.
    package var citations: [Citation]
    /// The sentences of a checked answer, in order; nil if it was not checked.
    package var sentences: [CheckedSentence]?
    /// Why there was no source to answer from.
    package var noAnswerReason: NoAnswerReason
    /// The signals that the search used; nil when it failed.
    package var mode: RetrievalMode?
    /// The generation that was searched.
    package var generation: GenerationNumber?
    /// Every message that entered the prompt, in its order.
    package var promptMessageKeys: [MessageKey]
    /// The tokens as counted by the model's service.
    package var usage: TokenUsage?
    /// Notices for the reader.
    package var notices: Set<AnswerNotice>
    /// How the search was done, and what for; nil when it failed.
    ///
    /// It may contain words of this question and of earlier ones, so it must not be logged.
    package var searchTrace: SearchTrace?
    /// The moment up to which messages were read; nil for the present.
    package var asOf: AsOf?
    /// How much of the conversation the answer is based on; nil for a question across conversations.
    package var coverage: ConversationCoverage?

    package init(
        turnID: TurnID, text: String, sources: [Source], citations: [Citation], noAnswerReason: NoAnswerReason,
        mode: RetrievalMode?, generation: GenerationNumber?, promptMessageKeys: [MessageKey], usage: TokenUsage?,
        notices: Set<AnswerNotice>, searchTrace: SearchTrace? = nil
    ) {
        self.turnID = turnID
        self.text = text
        self.sources = sources
        self.citations = citations
        self.noAnswerReason = noAnswerReason
        self.mode = mode
        self.generation = generation
        self.promptMessageKeys = promptMessageKeys
        self.usage = usage
        self.notices = notices
        self.searchTrace = searchTrace
    }
}

/// A piece of an answer as it comes.
package enum AnswerEvent: Hashable, Sendable {
    /// Progress of the summaries that the answer needs: `part` is the latest one, counted from 1.
    case progress(part: Int, parts: Int)
    /// The sources that the model is shown, by rank, best first; always the first event except for progress.
    ///
    /// They have no numbers yet: each ``citation(_:)`` gives the number of its message.
    ///
    /// For a question about one conversation these are the messages that the search found, because the prompt may show
    /// most of the conversation.
    case retrieved([Source])
    /// The share of the prompt that the language model has read, 0...1: after the sources and before the first text, any
    /// number of times, from services that report it.
    case reading(Double)
    /// More text, filtered; see ``AnswerFilter``.
    case delta(String)
    /// A citation in the text so far, sent after the delta that completes it.
    case citation(Citation)
    /// The text so far after its sentences were checked: it replaces the deltas and citations before it.
    case checked(CheckedText)
    /// The whole answer; always the last event.
    case done(Answer)
}

/// Answers questions from messages.
package protocol QuestionAnswering: Sendable {
    /// Delivers an answer, and returns after its last event; when the task is cancelled, the language model's request
    /// is aborted.
    ///
    /// - Parameters:
    ///   - request: See ``AskRequest``.
    ///   - deliver: Receives the events as ``AnswerEvent`` describes them. It does not wait: an answer has a limit of
    ///     tokens, so a slow reader may keep all of its events.
    /// - Throws: ``RetrievalError`` when the scope or a value is not allowed, ``ModelServiceError`` when the language
    ///   model fails, `CancellationError`. A search that fails because the embedding service is missing is not an
    ///   error; see ``NoAnswerReason/searchFailed``.
    func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws

    /// Passes a client's own prompt to the language model, without a search; nothing is stored.
    ///
    /// - Parameters:
    ///   - task: See ``ClientTask``.
    ///   - deliver: Receives the events as ``AnswerEvent`` describes them, without sources.
    /// - Throws: ``DailyTokensUsedUp``, `CancellationError`.
    func perform(_ task: ClientTask, deliver: (AnswerEvent) -> Void) async throws
}

extension QuestionAnswering {
    /// Returns a whole answer.
    ///
    /// - Throws: As ``answer(_:deliver:)``.
    package func wholeAnswer(to request: AskRequest) async throws -> Answer {
        try await Answer.last { deliver in try await answer(request, deliver: deliver) }
    }
}

extension Answer {
    /// Returns the answer of the last event that is delivered.
    static func last(of run: (_ deliver: (AnswerEvent) -> Void) async throws -> Void) async throws -> Answer {
        var answer: Answer?
        try await run { event in
            if case .done(let whole) = event { answer = whole }
        }
        guard let answer else { throw ModelServiceError.incompleteReply }
        return answer
    }

    /// The part of the answer that is stored and shown with its turn.
    package var reply: TurnReply {
        TurnReply(
            sources: sources.map { source in
                TurnReply.Source(
                    key: source.hit.message.key, number: source.number, rank: source.hit.rank,
                    relevance: source.hit.relevance, place: source.hit.place)
            },
            citations: citations.map {
                TurnReply.Citation(
                    number: $0.number, start: $0.range.lowerBound, end: $0.range.upperBound,
                    support: $0.support?.rawValue, score: $0.score)
            }, sentences: sentences?.map { TurnReply.Sentence($0) }, notices: notices.map(\.rawValue).sorted(),
            noAnswerReason: noAnswerReason.rawValue,
            mode: mode?.rawValue)
    }

    /// Returns the first sentences that no message supports, shortened, without their citations.
    func unsupportedSentences(atMost count: Int) -> [String] {
        let ranges = (sentences ?? []).filter { $0.support == .unsupported || $0.support == .contradicted }.map(\.range)
        guard !ranges.isEmpty else { return [] }
        let characters = Array(text)
        return ranges.prefix(count).map { range in
            let cited = citations.map(\.range).filter { $0.overlaps(range) }
            let words = range.filter { place in
                !cited.contains { $0.contains(place) || characters[place] == " " && $0.lowerBound == place + 1 }
            }.map { characters[$0] }
            let whole = String(words).trimmingWhitespace()
            return whole.count <= Self.longestNotedSentence
                ? String(whole) : whole.prefix(Self.longestNotedSentence - 1) + "…"
        }
    }

    private static let longestNotedSentence = 120

    /// Notes the moment up to which messages were read.
    mutating func note(_ asOf: AsOf?) {
        guard let asOf else { return }
        self.asOf = asOf
        notices.insert(.asOf)
    }

    /// The cited messages, in the order of their numbers.
    var citedKeys: [MessageKey] {
        let numbered = sources.compactMap { source in source.number.map { ($0, source.hit.message.key) } }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension TurnReply.Sentence {
    fileprivate init(_ sentence: CheckedSentence) {
        self.init(
            start: sentence.range.lowerBound, end: sentence.range.upperBound, needsSource: sentence.needsSource,
            support: sentence.support?.rawValue, score: sentence.score, reasons: sentence.reasons.map(\.rawValue))
    }
}
