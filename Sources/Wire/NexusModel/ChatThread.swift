public import Foundation

/// A thread of questions that belong together.
public struct ChatThread: Hashable, Sendable, Codable, Identifiable {
    /// Its id.
    public var id: String
    /// The title; empty before the first question if none was given.
    public var title: String
    /// The conversation whose assistant it belongs to; nil for a thread across conversations.
    public var conversationId: String?
    /// The number of turns.
    public var turnCount: Int
    /// When it was made.
    public var createdAt: Date
    /// When it was last used.
    public var updatedAt: Date

    public init(
        id: String, title: String, conversationId: String? = nil, turnCount: Int, createdAt: Date, updatedAt: Date
    ) {
        self.id = id
        self.title = title
        self.conversationId = conversationId
        self.turnCount = turnCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A page of threads, the last used first.
public struct ChatThreadPage: Hashable, Sendable, Codable {
    /// The threads.
    public var threads: [ChatThread]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(threads: [ChatThread], next: String? = nil) {
        self.threads = threads
        self.next = next
    }
}

/// A stored question with its answer.
public struct ChatTurn: Hashable, Sendable, Codable, Identifiable {
    /// The asker's feedback.
    public struct Feedback: Hashable, Sendable, Codable {
        /// `up` or `down`.
        public var rating: FeedbackRating
        /// The reason, if one was given.
        public var reason: String?
        /// When it was given.
        public var givenAt: Date

        public init(rating: FeedbackRating, reason: String? = nil, givenAt: Date) {
            self.rating = rating
            self.reason = reason
            self.givenAt = givenAt
        }
    }

    /// How the messages were found.
    public struct Retrieval: Hashable, Sendable, Codable {
        /// The signals that the search used, such as `hybrid`; nil if it failed.
        public var mode: String?

        public init(mode: String?) { self.mode = mode }
    }

    /// A later message that replaces what the answer says.
    public struct Outdated: Hashable, Sendable, Codable {
        /// The message as it is now.
        public var by: ChatAnswer.Source
        /// When this was noticed.
        public var notedAt: Date

        public init(by: ChatAnswer.Source, notedAt: Date) {
            self.by = by
            self.notedAt = notedAt
        }
    }

    /// Its id.
    public var turnId: String
    /// The question; empty once a message that the answer was based on was deleted.
    public var question: String
    /// The answer; empty if it may not be shown any more.
    public var answer: String
    /// Whether part of it was removed.
    public var isRedacted: Bool
    /// `source_deleted`, `source_edited` or `not_permitted`; nil if nothing is missing.
    public var redactedReason: String?
    /// The messages by rank.
    public var sources: [ChatAnswer.Source]
    /// The citations in order of the text.
    public var citations: [ChatAnswer.Citation]
    /// The sentences of a checked answer, in order; nil if it was not checked or is not shown.
    public var sentences: [ChatAnswer.Sentence]?
    /// Notices for the reader.
    public var notices: [AnswerNotice]
    /// The reason if there was no basis for an answer; nil if it is not known.
    public var noAnswerReason: NoAnswerReason?
    /// When it was asked.
    public var askedAt: Date
    /// The thread that it belongs to.
    public var threadId: String?
    /// The asker's feedback.
    public var feedback: Feedback?
    /// How the messages were found; nil if ``noAnswerReason`` is.
    public var retrieval: Retrieval?
    /// The message because of which the answer is no longer true; nil if there is none that the person may see.
    ///
    /// If ``redactedReason`` is `source_edited`, it is the edited message.
    public var outdated: Outdated?

    public init(
        turnId: String, question: String, answer: String, isRedacted: Bool = false, redactedReason: String? = nil,
        sources: [ChatAnswer.Source] = [], citations: [ChatAnswer.Citation] = [],
        sentences: [ChatAnswer.Sentence]? = nil, notices: [AnswerNotice] = [],
        noAnswerReason: NoAnswerReason? = nil, askedAt: Date, threadId: String? = nil, feedback: Feedback? = nil,
        retrieval: Retrieval? = nil, outdated: Outdated? = nil
    ) {
        self.turnId = turnId
        self.question = question
        self.answer = answer
        self.isRedacted = isRedacted
        self.redactedReason = redactedReason
        self.sources = sources
        self.citations = citations
        self.sentences = sentences
        self.notices = notices
        self.noAnswerReason = noAnswerReason
        self.askedAt = askedAt
        self.threadId = threadId
        self.feedback = feedback
        self.retrieval = retrieval
        self.outdated = outdated
    }

    /// The turn.
    public var id: String { turnId }
}

/// A page of stored questions, newest first.
public struct ChatTurnPage: Hashable, Sendable, Codable {
    /// The questions.
    public var turns: [ChatTurn]
    /// The `before` of the next page; nil on the last.
    public var next: String?

    public init(turns: [ChatTurn], next: String? = nil) {
        self.turns = turns
        self.next = next
    }
}

/// What an asker thinks of an answer.
public enum FeedbackRating: String, Hashable, Sendable, Codable, CaseIterable {
    /// It helped.
    case up
    /// It did not.
    case down
}
