/// A question or a digest that the assistant repeats for a person at times of the week.
public struct Schedule: Hashable, Sendable {
    /// What is asked.
    public enum Content: Hashable, Sendable {
        /// A question, in all conversations of the person or in one.
        case question(String, ConversationID?)
        /// A digest of these parts; never empty.
        case digest(Set<DigestPart>)
    }

    /// A part of a digest.
    public enum DigestPart: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Conversations with unread messages.
        case missed
        /// Open action items and deadlines of the person.
        case due
        /// New decisions, and those that they replace.
        case decisions

        /// Orders the parts as a digest shows them.
        public static func < (left: DigestPart, right: DigestPart) -> Bool {
            left.place < right.place
        }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Why nothing is asked.
    public enum Pause: String, Hashable, Sendable, CaseIterable {
        /// The person paused it.
        case byPerson = "by_person"
        /// The person's account is disabled.
        case accountDisabled = "account_disabled"
        /// The person does not see the conversation of the question any more.
        case conversationLeft = "conversation_left"
        /// The person sees no conversation any more, apart from the one with the assistant.
        case noConversations = "no_conversations"
    }

    /// The result of a time that came.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// A message was posted.
        case delivered
        /// There was nothing new, so nothing was posted.
        case silent
        /// It could not be answered, and is not tried again.
        case failed
        /// The server was down for too long.
        case missed
    }

    /// The last time that came.
    public struct Run: Hashable, Sendable {
        /// The time of the schedule, not that of the work.
        public var occurrence: Timestamp
        /// Its result.
        public var outcome: Outcome

        public init(occurrence: Timestamp, outcome: Outcome) {
            self.occurrence = occurrence
            self.outcome = outcome
        }
    }

    /// Its id.
    public let id: ScheduleID
    /// The person who asks.
    public let ownerID: UserID
    /// What is asked.
    public var content: Content
    /// When it is asked.
    public var times: ScheduleTimes
    /// The language of a digest, such as `de`.
    public var language: String
    /// Why nothing is asked; nil while it is active.
    public var pause: Pause?
    /// The next time; nil while it is paused.
    public var next: Timestamp?
    /// The last time that came; nil before the first.
    public var last: Run?
    /// When it was made.
    public let createdAt: Timestamp

    public init(
        id: ScheduleID, ownerID: UserID, content: Content, times: ScheduleTimes, language: String = "en",
        pause: Pause? = nil, next: Timestamp? = nil, last: Run? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.ownerID = ownerID
        self.content = content
        self.times = times
        self.language = language
        self.pause = pause
        self.next = next
        self.last = last
        self.createdAt = createdAt
    }
}

/// The id of a schedule, unique in a data folder.
public typealias ScheduleID = Identifier<Schedule>
