/// Questions that belong together, with their answers: a user's talk with the assistant.
public struct AssistantThread: Hashable, Sendable, Codable {
    /// The most characters of a title that a user gives.
    public static let titleLimit = 200
    /// The most characters of a title that is made of a question.
    public static let madeTitleLimit = 60

    /// A place in a list of threads: what stands behind it has been used before.
    public struct Place: Hashable, Sendable, Codable {
        /// When the thread there was used last.
        public var updatedAt: Timestamp
        /// The thread there.
        public var id: ThreadID

        public init(updatedAt: Timestamp, id: ThreadID) {
            self.updatedAt = updatedAt
            self.id = id
        }
    }

    /// Its id.
    public let id: ThreadID
    /// Whose it is.
    public let ownerID: UserID
    /// What its user calls it; nil where the first question names it.
    public var givenTitle: String?
    /// The first question that was not redacted; nil when there is none.
    public var firstQuestion: String?
    /// The conversation whose own assistant is asked here; nil for questions across conversations.
    public let conversationID: ConversationID?
    /// How many turns it has.
    public var turnCount: Int
    /// When it was begun.
    public let createdAt: Timestamp
    /// When something was asked in it last; when it was begun, before.
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

    /// What it is called: the title that was given, else the beginning of its first question; empty without either.
    ///
    /// A title that is made is not stored: it goes with the question.
    public var title: String { givenTitle ?? firstQuestion.map(Self.title(madeOf:)) ?? "" }

    /// Where it stands in a list.
    public var place: Place { Place(updatedAt: updatedAt, id: id) }

    /// Returns the beginning of a question as one line, cut behind a word; what was cut is marked by "…".
    static func title(madeOf question: String) -> String {
        let line = question.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let limit = TextLimit(characters: madeTitleLimit)
        guard !limit.admits(line) else { return line }
        let start = TextLimit(characters: madeTitleLimit - 1).cut(line)
        // A line without spaces, as in Chinese, is cut anywhere.
        let end = start.lastIndex(of: " ").flatMap { start.distance(from: start.startIndex, to: $0) < 30 ? nil : $0 }
        return start[..<(end ?? start.endIndex)] + "…"
    }

    /// Returns what a user calls a thread as it is kept, without white space at its ends.
    ///
    /// - Parameter title: What was given; nil for no title.
    /// - Returns: The title.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for one that is empty, too long or has more than one line.
    public static func checked(title: String?) throws(RepositoryError) -> String? {
        guard let title = title?.trimmingWhitespace() else { return nil }
        if let fault = TextLimit.title.fault(of: title, mayBeEmpty: false) {
            throw .invalid(field: "title", reason: fault)
        }
        guard !title.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
            throw .invalid(field: "title", reason: "must not hold control characters")
        }
        return title
    }
}

/// The id of a thread, unique in a data folder.
public typealias ThreadID = Identifier<AssistantThread>
