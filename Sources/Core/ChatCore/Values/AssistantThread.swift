/// A user's conversation with the assistant: questions that belong together, with their answers.
public struct AssistantThread: Hashable, Sendable, Codable {
    /// The most characters of a title that a user gives.
    public static let titleLimit = 200
    /// The most characters of a title that is derived from a question.
    public static let madeTitleLimit = 60

    /// A place in a list of threads, which is ordered by last use.
    public struct Place: Hashable, Sendable, Codable {
        /// When the thread at this place was last used.
        public var updatedAt: Timestamp
        /// The thread at this place.
        public var id: ThreadID

        public init(updatedAt: Timestamp, id: ThreadID) {
            self.updatedAt = updatedAt
            self.id = id
        }
    }

    /// The thread's id.
    public let id: ThreadID
    /// The owner.
    public let ownerID: UserID
    /// The title that the user gave; nil if the first question is the title.
    public var givenTitle: String?
    /// The first question that was not redacted; nil when there is none.
    public var firstQuestion: String?
    /// The conversation whose own assistant is asked; nil for questions across conversations.
    public let conversationID: ConversationID?
    /// The number of turns.
    public var turnCount: Int
    /// When it was created.
    public let createdAt: Timestamp
    /// When the last question was asked, or the thread was created.
    public var updatedAt: Timestamp

    public init(
        id: ThreadID, ownerID: UserID, givenTitle: String? = nil, firstQuestion: String? = nil,
        conversationID: ConversationID? = nil, turnCount: Int = 0, createdAt: Timestamp, updatedAt: Timestamp? = nil
    ) {
        self.id = id
        self.ownerID = ownerID
        self.givenTitle = givenTitle
        self.firstQuestion = firstQuestion
        self.conversationID = conversationID
        self.turnCount = turnCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
    }

    /// The given title, else the beginning of the first question; empty without either.
    ///
    /// A derived title is not stored, so it is deleted with the question.
    public var title: String { givenTitle ?? firstQuestion.map(Self.title(madeOf:)) ?? "" }

    /// Its place in a list.
    public var place: Place { Place(updatedAt: updatedAt, id: id) }

    /// Returns the beginning of a question as one line, cut after a word; "…" marks a cut.
    static func title(madeOf question: String) -> String {
        let line = question.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let limit = TextLimit(characters: madeTitleLimit)
        guard !limit.admits(line) else { return line }
        let start = TextLimit(characters: madeTitleLimit - 1).cut(line)
        // A line without spaces, such as Chinese, is cut anywhere.
        let end = start.lastIndex(of: " ").flatMap { start.distance(from: start.startIndex, to: $0) < 30 ? nil : $0 }
        return start[..<(end ?? start.endIndex)] + "…"
    }

    /// Returns the title in the form in which it is stored, without white space at its ends.
    ///
    /// - Parameter title: The title; nil for none.
    /// - Returns: The title.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for a title that is empty, too long or has several lines.
    public static func checked(title: String?) throws(RepositoryError) -> String? {
        guard let title = title?.trimmingWhitespace() else { return nil }
        if let fault = TextLimit.title.fault(of: title, mayBeEmpty: false) {
            throw .invalid(field: "title", reason: fault)
        }
        guard !title.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw .invalid(field: "title", reason: "must not contain control characters")
        }
        return title
    }
}

/// The id of a thread, unique in a data folder.
public typealias ThreadID = Identifier<AssistantThread>
