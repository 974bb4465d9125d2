/// How many conversations one person makes, and how many members one person adds.
public struct GroupLimits: Hashable, Sendable {
    /// Conversations that a person makes within 24 hours, direct ones too.
    public var conversationsPerDay: Int
    /// All conversations that a person made.
    public var conversations: Int
    /// Members of a conversation that one request makes.
    public var membersPerRequest: Int
    /// Members whom a person adds within 24 hours.
    public var membersPerDay: Int
    /// Present members whom a person added, in all conversations.
    public var members: Int

    public init(
        conversationsPerDay: Int = 100, conversations: Int = 2_000, membersPerRequest: Int = 500,
        membersPerDay: Int = 2_000, members: Int = 20_000
    ) {
        self.conversationsPerDay = conversationsPerDay
        self.conversations = conversations
        self.membersPerRequest = membersPerRequest
        self.membersPerDay = membersPerDay
        self.members = members
    }

    /// The time to which the limits of a day apply.
    public static let day = Duration.seconds(24 * 3_600)
}

/// A person who puts others into conversations.
///
/// A member who shares no accepted conversation with this person is only invited: searches of the member leave the
/// conversation out, and other people's searches do not look for the member's name there, until the member accepts by
/// reading, writing or reacting in it.
public struct MemberAdding: Hashable, Sendable {
    /// The person.
    public let person: UserID
    /// The person's limits.
    public let limits: GroupLimits

    public init(by person: UserID, limits: GroupLimits) {
        self.person = person
        self.limits = limits
    }
}

/// Why a person may not make a conversation or add members now; each with the limit.
public enum GroupLimitError: Error, Hashable, Sendable {
    /// Too many conversations within 24 hours.
    case conversationsPerDay(Int)
    /// Too many conversations.
    case conversations(Int)
    /// Too many members in one request.
    case membersPerRequest(Int)
    /// Too many added members within 24 hours.
    case membersPerDay(Int)
    /// Too many added members.
    case members(Int)
}
