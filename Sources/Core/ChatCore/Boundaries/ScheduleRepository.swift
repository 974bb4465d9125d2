/// Questions and digests that the assistant repeats for people.
///
/// A time of a schedule is delivered at most once: the message and the new state of the schedule are stored in one
/// transaction, which only the last claim may do. Deleting a message that a delivered answer is based on also deletes the
/// answer, in the same transaction; a digest loses only the lines that are based on the message. All calls throw
/// ``RepositoryError``.
public protocol ScheduleRepository: Sendable {
    /// Returns a person's schedules, the oldest first.
    func schedules(of owner: UserID) async throws -> [Schedule]

    /// Stores a new schedule.
    ///
    /// - Parameters:
    ///   - schedule: The schedule, with its next time.
    ///   - limit: The most schedules of its owner.
    /// - Returns: False if the owner has reached the limit; then nothing changed.
    /// - Throws: ``RepositoryError``.
    func create(_ schedule: Schedule, limit: Int) async throws -> Bool

    /// Replaces content, times, language, pause and next time of a schedule; a run under way is not delivered.
    ///
    /// - Throws: ``RepositoryError/noSuchSchedule(_:)``.
    func change(_ schedule: Schedule) async throws

    /// Deletes a schedule of a person; what it delivered stays.
    ///
    /// - Throws: ``RepositoryError/noSuchSchedule(_:)``.
    func deleteSchedule(_ id: ScheduleID, of owner: UserID) async throws

    /// Returns a person's conversation with the assistant; nil if there is none yet.
    func assistantConversation(of owner: UserID) async throws -> ConversationID?

    /// Makes runs that an ended process had claimed due again.
    func beginSchedules() async throws

    /// Claims the schedule that has been due longest and counts an attempt.
    ///
    /// A schedule whose owner may not ask any more is paused, and is not returned.
    ///
    /// - Parameters:
    ///   - lease: When it is due again unless it is settled before.
    ///   - moment: The present time.
    /// - Returns: The claim; nil when none is due.
    /// - Throws: ``RepositoryError``.
    func claimSchedule(until lease: Timestamp, at moment: Timestamp) async throws -> ScheduleClaim?

    /// Returns when the next schedule is due; nil when none waits.
    func nextScheduleDue() async throws -> Timestamp?

    /// Posts what a run delivers, stores its turn, and settles the run, in one transaction.
    ///
    /// The transaction also checks that the owner may still ask, and sees each message that the delivery is based on.
    ///
    /// - Parameters:
    ///   - delivery: The message and its basis.
    ///   - claim: The claim.
    ///   - run: The run; its outcome is `delivered`.
    ///   - next: The next time.
    ///   - moment: The present time.
    /// - Returns: The result; unless it is delivered, nothing is posted.
    /// - Throws: ``RepositoryError``.
    func deliver(
        _ delivery: ScheduleDelivery, of claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?, at moment: Timestamp
    ) async throws -> ScheduleDelivering

    /// Settles a run without a message.
    ///
    /// - Parameters:
    ///   - claim: The claim; one that a later one, or a change of the schedule, replaced changes nothing.
    ///   - run: The run.
    ///   - next: The next time.
    /// - Throws: ``RepositoryError``.
    func settle(_ claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?) async throws

    /// Lets a claimed run be tried again at a later time.
    func retry(_ claim: ScheduleClaim, at moment: Timestamp) async throws
}

/// A schedule whose time has come, claimed by one node.
public struct ScheduleClaim: Hashable, Sendable {
    /// The schedule; its ``Schedule/next`` is the time that has come.
    public let schedule: Schedule
    /// How often it was tried, including this time.
    public let attempts: Int
    /// Distinguishes the claim from earlier and later ones.
    public let fence: Int64
    /// The present time of the claim: what changed since then is not known to the run.
    public let claimedAt: Timestamp
    /// The ``ScheduleDelivery/basis`` of the last delivery; nil for none.
    public let lastBasis: String?

    public init(
        schedule: Schedule, attempts: Int, fence: Int64, claimedAt: Timestamp, lastBasis: String? = nil
    ) {
        self.schedule = schedule
        self.attempts = attempts
        self.fence = fence
        self.claimedAt = claimedAt
        self.lastBasis = lastBasis
    }
}

/// What a run delivers.
public struct ScheduleDelivery: Hashable, Sendable {
    /// A line of a digest.
    public struct Line: Hashable, Sendable {
        /// The line of the text, counted from 0.
        public var place: Int
        /// The messages that it is based on: deleting or editing one of them removes the line.
        public var sources: [MessageKey]

        public init(place: Int, sources: [MessageKey]) {
            self.place = place
            self.sources = sources
        }
    }

    /// The text of the message.
    public var text: String
    /// The extra fields of the message; see ``Message/extra``.
    public var extra: String?
    /// The message's id; the same time of a schedule always has the same one.
    public var messageID: MessageID
    /// The sender's name.
    public var senderName: String
    /// The messages that it is based on.
    public var sources: [MessageKey]
    /// The lines of a digest that go with their messages; empty for an answer, which goes as a whole.
    public var lines: [Line]
    /// The turn of an answer; nil for a digest.
    public var turn: Turn?
    /// A hash of what it is based on; nil for a digest.
    public var basis: String?
    /// Whether it is delivered to another system.
    public var isDelivered: Bool

    public init(
        text: String, extra: String?, messageID: MessageID, senderName: String, sources: [MessageKey],
        lines: [Line] = [], turn: Turn? = nil, basis: String? = nil, isDelivered: Bool = false
    ) {
        self.text = text
        self.extra = extra
        self.messageID = messageID
        self.senderName = senderName
        self.sources = sources
        self.lines = lines
        self.turn = turn
        self.basis = basis
        self.isDelivered = isDelivered
    }
}

/// The result of a delivery.
public enum ScheduleDelivering: Hashable, Sendable {
    /// The message is in the conversation.
    case delivered
    /// The claim was replaced, or this time was delivered before; there is nothing more to do.
    case outdated
    /// A source was deleted or edited since the claim, or the owner does not see it any more.
    case basisChanged
    /// The owner may not ask any more; the schedule was paused.
    case paused(Schedule.Pause)
}

extension ScheduleRepository {
    /// Returns a schedule of a person.
    ///
    /// - Throws: ``RepositoryError/noSuchSchedule(_:)``.
    public func schedule(_ id: ScheduleID, of owner: UserID) async throws -> Schedule {
        guard let found = try await schedules(of: owner).first(where: { $0.id == id }) else {
            throw RepositoryError.noSuchSchedule(id)
        }
        return found
    }
}
