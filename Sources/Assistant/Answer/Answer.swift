public import ChatCore
public import Retrieval

/// A hit with its place in the prompt.
public struct Source: Hashable, Sendable {
    /// How many characters of a message an excerpt shows.
    public static let excerptLength = 150

    /// What `[n]` in the answer means: citations are numbered from 1 as they first appear in it; nil when it is not cited.
    public let number: Int?
    /// The message, where it is, its rank and its relevance.
    public let hit: Hit

    /// The first characters of the message.
    public var excerpt: String { Self.excerpt(of: hit.message) }

    /// Returns the first characters of a message.
    public static func excerpt(of message: Message) -> String {
        String(message.searchableText.prefix(excerptLength))
    }

    public init(number: Int?, hit: Hit) {
        self.number = number
        self.hit = hit
    }
}

/// A number used in the answer.
public struct Citation: Hashable, Sendable {
    /// The source's number.
    public let number: Int
    /// The message it means.
    public let messageKey: MessageKey
    /// Which characters of the answer are the citation, brackets included.
    public let range: Range<Int>

    public init(number: Int, messageKey: MessageKey, range: Range<Int>) {
        self.number = number
        self.messageKey = messageKey
        self.range = range
    }
}

/// Something about an answer that its reader should know.
public enum AnswerNotice: String, Hashable, Sendable, Codable, CaseIterable {
    /// No language model is configured: the best sources stand quoted in place of an answer.
    case extractive
    /// The token limit cut the answer off.
    case truncated
    /// The model's service cut the answer off by a rule of its own.
    case filtered
    /// The server counted far fewer prompt tokens than were sent: it cut the prompt, and the answer may lack ground.
    case promptCut = "prompt_cut"
    /// Links, addresses, images or HTML that no permitted message holds were taken out of the answer.
    case linksRemoved = "links_removed"
    /// The language model failed: the best sources are quoted instead of an answer.
    case modelUnavailable = "model_unavailable"
    /// The disk is full or read-only: the turn is not in the history, and its id cannot be used later.
    case notStored = "not_stored"
    /// Of the conversation that was asked about, parts could neither be shown to the model nor be summarized for it.
    case incomplete
}

/// How much of a conversation an answer about it stands on.
public struct ConversationCoverage: Hashable, Sendable, Codable {
    /// How many messages it has, or how many of them were asked for; system messages and empty ones do not count.
    public var messageCount: Int
    /// How many of them the answer knows from summaries, shown or not.
    public var summarizedCount: Int
    /// How many summaries were written for it.
    public var writtenCount: Int

    public init(messageCount: Int, summarizedCount: Int = 0, writtenCount: Int = 0) {
        self.messageCount = messageCount
        self.summarizedCount = summarizedCount
        self.writtenCount = writtenCount
    }
}

/// What the assistant answers.
public struct Answer: Hashable, Sendable {
    /// The turn's id.
    public var turnID: TurnID
    /// The answer; `[n]` in it are citations of sources.
    public var text: String
    /// The best sources by rank, at least as many as asked for, and every one cited; ordered by rank.
    public var sources: [Source]
    /// The citations, in order of the text.
    public var citations: [Citation]
    /// Why there was nothing to stand on.
    public var noAnswerReason: NoAnswerReason
    /// Which signals the search stood on; nil when it failed.
    public var mode: RetrievalMode?
    /// The generation that was searched.
    public var generation: GenerationNumber?
    /// Every message that entered the prompt, in its order.
    public var promptMessageKeys: [MessageKey]
    /// The tokens that the model's service counted.
    public var usage: TokenUsage?
    /// What the reader should know.
    public var notices: Set<AnswerNotice>
    /// How it was searched, and for what; nil when the search failed.
    ///
    /// It may hold words of the question and of earlier ones: nothing for a log.
    public var searchTrace: SearchTrace?
    /// How much of the conversation it stands on; nil for a question across conversations.
    public var coverage: ConversationCoverage?

    public init(
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
public enum AnswerEvent: Hashable, Sendable {
    /// So many of the summaries that the answer needs are written: the part is the last of them, from 1.
    case progress(part: Int, parts: Int)
    /// The sources that the model is shown, best first by rank; always the first event but for progress.
    ///
    /// They have no numbers yet: each ``citation(_:)`` says the number of its message.
    ///
    /// Of a question about one conversation: those that the search found, since most of it may be shown.
    case retrieved([Source])
    /// More text, filtered; see ``AnswerFilter``.
    case delta(String)
    /// A citation in the text so far; after the delta that completes it.
    case citation(Citation)
    /// The whole answer; always the last event.
    case done(Answer)
}

/// Answers questions from messages.
public protocol QuestionAnswering: Sendable {
    /// Starts an answer; when its consumer stops, the language model's request is aborted.
    ///
    /// - Parameter request: See ``AskRequest``.
    /// - Returns: Events as ``AnswerEvent`` describes them. The stream throws ``RetrievalError`` when the scope or a
    ///   value is not allowed and ``ModelServiceError`` when the language model fails; a search that fails for want of
    ///   the embedding service is no error, see ``NoAnswerReason/searchFailed``.
    func answer(_ request: AskRequest) -> AsyncThrowingStream<AnswerEvent, any Error>
}

extension Answer {
    /// What is kept of it to be shown with its turn.
    public var reply: TurnReply {
        TurnReply(
            sources: sources.map { source in
                TurnReply.Source(
                    key: source.hit.message.key, number: source.number, rank: source.hit.rank,
                    relevance: source.hit.relevance)
            },
            citations: citations.map {
                TurnReply.Citation(number: $0.number, start: $0.range.lowerBound, end: $0.range.upperBound)
            }, notices: notices.map(\.rawValue).sorted(), noAnswerReason: noAnswerReason.rawValue,
            mode: mode?.rawValue)
    }

    /// The messages that it cites, in the order of their numbers.
    var citedKeys: [MessageKey] {
        let numbered = sources.compactMap { source in source.number.map { ($0, source.hit.message.key) } }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
