public import Foundation

/// A question or a digest that the assistant repeats for a person.
public struct ChatSchedule: Hashable, Sendable, Codable, Identifiable {
    /// The last time that came.
    public struct Run: Hashable, Sendable, Codable {
        /// The time of the schedule.
        public var at: Date
        /// `delivered`, `silent`, `failed` or `missed`.
        public var outcome: Outcome

        public init(at: Date, outcome: Outcome) {
            self.at = at
            self.outcome = outcome
        }
    }

    /// Its id.
    public var id: String
    /// The question; nil for a digest.
    public var question: String?
    /// The conversation in which the question is asked; nil for all of the person.
    public var conversationId: String?
    /// The parts of a digest: `missed`, `due`, `decisions`; nil for a question.
    public var digest: [String]?
    /// The days, from `monday` to `sunday`.
    public var days: [String]
    /// The time of the day, such as `09:00`.
    public var time: String
    /// The IANA name of the zone.
    public var timeZone: String
    /// The language of a digest.
    public var language: String
    /// Why nothing is asked: `by_person`, `account_disabled`, `conversation_left`, `no_conversations`; nil while it is
    /// active.
    public var pausedReason: Pause?
    /// The next time; nil while it is paused.
    public var next: Date?
    /// The last time that came; nil before the first.
    public var last: Run?
    /// When it was made.
    public var createdAt: Date

    public init(
        id: String, question: String? = nil, conversationId: String? = nil, digest: [String]? = nil, days: [String],
        time: String, timeZone: String, language: String, pausedReason: Pause? = nil, next: Date? = nil,
        last: Run? = nil, createdAt: Date
    ) {
        self.id = id
        self.question = question
        self.conversationId = conversationId
        self.digest = digest
        self.days = days
        self.time = time
        self.timeZone = timeZone
        self.language = language
        self.pausedReason = pausedReason
        self.next = next
        self.last = last
        self.createdAt = createdAt
    }
}

/// The schedules of a person, the oldest first.
public struct ChatScheduleList: Hashable, Sendable, Codable {
    /// The schedules.
    public var schedules: [ChatSchedule]
    /// The conversation with the assistant, to which they deliver; nil before the first delivery.
    public var conversationId: String?
    /// The most schedules of a person.
    public var limit: Int

    public init(schedules: [ChatSchedule], conversationId: String? = nil, limit: Int) {
        self.schedules = schedules
        self.conversationId = conversationId
        self.limit = limit
    }
}

/// What a schedule would do, before it is saved.
public struct ChatSchedulePreview: Hashable, Sendable, Codable {
    /// The cost of a language model.
    public struct Cost: Hashable, Sendable, Codable {
        /// The model's name.
        public var model: String
        /// The tokens of the prompt, estimated from what would be found now.
        public var promptTokens: Int
        /// The most tokens of the answer.
        public var answerTokens: Int
        /// The most tokens of an average month.
        public var tokensPerMonth: Int

        public init(model: String, promptTokens: Int, answerTokens: Int, tokensPerMonth: Int) {
            self.model = model
            self.promptTokens = promptTokens
            self.answerTokens = answerTokens
            self.tokensPerMonth = tokensPerMonth
        }
    }

    /// The next times.
    public var next: [Date]
    /// How often it is in an average month.
    public var runsPerMonth: Double
    /// The cost; nil if no language model is asked, so that it costs no tokens.
    public var cost: Cost?

    public init(next: [Date], runsPerMonth: Double, cost: Cost? = nil) {
        self.next = next
        self.runsPerMonth = runsPerMonth
        self.cost = cost
    }
}

extension ChatSchedule {
    /// Why a schedule asks nothing.
    public enum Pause: OpenWord {
        /// The person paused it.
        case byPerson
        /// The account of the person is disabled.
        case accountDisabled
        /// The person does not see the conversation any more.
        case conversationLeft
        /// The person has no conversations.
        case noConversations
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Pause] = [.byPerson, .accountDisabled, .conversationLeft, .noConversations]

        /// The word.
        public var rawValue: String {
            switch self {
            case .byPerson: "by_person"
            case .accountDisabled: "account_disabled"
            case .conversationLeft: "conversation_left"
            case .noConversations: "no_conversations"
            case .unknown(let word): word
            }
        }
    }
}

extension ChatSchedule.Run {
    /// What came of a time of a schedule.
    public enum Outcome: OpenWord {
        /// The person got a message.
        case delivered
        /// There was nothing to say.
        case silent
        /// The assistant failed.
        case failed
        /// The server was down.
        case missed
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Outcome] = [.delivered, .silent, .failed, .missed]

        /// The word.
        public var rawValue: String {
            switch self {
            case .delivered: "delivered"
            case .silent: "silent"
            case .failed: "failed"
            case .missed: "missed"
            case .unknown(let word): word
            }
        }
    }
}
