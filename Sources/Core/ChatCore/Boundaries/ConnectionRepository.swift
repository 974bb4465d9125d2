/// What administrators decided about the connection to a source.
public struct ConnectionDecision: Hashable, Sendable {
    /// What a connection may do.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It reads and answers.
        case active
        /// It neither reads nor answers, and what is stored stays.
        case paused
        /// What came from the source is being erased.
        case disconnecting
        /// What came from the source was erased.
        case disconnected
    }

    /// What it may do.
    public let state: State
    /// How often something was decided, about rooms too.
    public let version: Int64
    /// When that was decided; nil if nothing ever was.
    public let decidedAt: Timestamp?

    /// A connection about which nothing was decided.
    public static let first = ConnectionDecision(state: .active, version: 0, decidedAt: nil)

    public init(state: State, version: Int64, decidedAt: Timestamp?) {
        (self.state, self.version, self.decidedAt) = (state, version, decidedAt)
    }
}

/// An event that a source sent, kept until its connector takes it.
public struct WaitingEvent: Hashable, Sendable {
    /// Its number, in the order of arrival.
    public let number: Int64
    /// Its body; empty if it is lost, and with it perhaps others.
    public let body: String

    public init(number: Int64, body: String) { (self.number, self.body) = (number, body) }
}

/// Decisions about connections, and events that wait for their connectors.
///
/// It checks no permission, because it is for connectors and operators. All calls throw ``RepositoryError``.
public protocol ConnectionRepository: Sendable {
    /// Returns what was decided about a source.
    func connection(to source: String) async throws -> ConnectionDecision

    /// Pauses an active connection, or resumes a paused one, or connects again what was disconnected.
    ///
    /// From the commit on, what a connector reads of a connection that is not active is refused on every node.
    ///
    /// - Throws: ``RepositoryError``, also while it is being disconnected.
    func setConnection(to source: String, isActive: Bool, at moment: Timestamp) async throws

    /// Leaves out the conversation of a room, and ends all memberships of it; or takes it in again, when its connector
    /// reads it and its members again.
    ///
    /// - Returns: Whether the room is known and not erased.
    /// - Throws: ``RepositoryError``.
    func setLeftOut(_ room: String, of source: String, _ isLeftOut: Bool, at moment: Timestamp) async throws -> Bool

    /// Begins to disconnect a source: from the commit on nothing that came from it is stored.
    ///
    /// - Returns: The conversations that are to be erased.
    /// - Throws: ``RepositoryError``.
    func beginDisconnecting(_ source: String, at moment: Timestamp) async throws -> [ConversationID]

    /// Returns the conversations of a source's rooms that were not erased, ordered by id.
    func connectedConversations(of source: String) async throws -> [ConversationID]

    /// Returns the people of a source who have nothing else here: no message, membership, question or account, and no
    /// name in another source; ordered by id.
    func peopleOnly(of source: String) async throws -> [UserID]

    /// Removes the rooms and names of a source that is being disconnected, and the marks of messages that were erased
    /// meanwhile, so that they can be read again. What was erased before stays erased.
    func removeRemains(of source: String) async throws

    /// Ends disconnecting, after ``removeRemains(of:)`` and the proof that nothing is left.
    func endDisconnecting(_ source: String, at moment: Timestamp) async throws

    /// Keeps an event until its connector takes it; an event with a known id is not kept again.
    ///
    /// - Parameters:
    ///   - event: The id of the event in the source.
    ///   - body: The body; empty if events were lost.
    ///   - source: The source.
    ///   - moment: The present time.
    /// - Returns: Whether the connection is active; otherwise nothing was kept.
    /// - Throws: ``RepositoryError``.
    func keepEvent(_ event: String, _ body: String, of source: String, at moment: Timestamp) async throws -> Bool

    /// Returns the first events that wait, in the order of arrival.
    func waitingEvents(of source: String, limit: Int) async throws -> [WaitingEvent]

    /// Removes the body of an event that was taken; its id is known for a day.
    func settleEvent(_ number: Int64, at moment: Timestamp) async throws
}
