import Synchronization

/// In whose name a request writes, and since when.
///
/// Rights are asked for when a request begins, but its body, a picture or an answer may take many seconds more. So each of
/// its transactions that write asks again, and is undone if a right ended meanwhile: the session or the key ended, the
/// account was disabled, or a person was erased in whose name it writes.
public final class RequestAuthority: Sendable {
    /// The authority of the request that the task belongs to; nil for work of the server itself.
    @TaskLocal public static var current: RequestAuthority?

    /// When the request began, before its rights were asked for.
    public let beganAt: Timestamp
    /// The person who signed in.
    public let person: UserID?
    /// The person's session.
    public let session: AccountSession.ID?
    /// The key of a server or an administrator.
    public let key: APIKey.ID?
    private let named: Mutex<Set<UserID>>

    public init(
        since moment: Timestamp, person: UserID? = nil, session: AccountSession.ID? = nil, key: APIKey.ID? = nil
    ) {
        (beganAt, self.person, self.session, self.key) = (moment, person, session, key)
        named = Mutex(Set(person.map { [$0] } ?? []))
    }

    /// The people in whose name it writes.
    public var users: Set<UserID> { named.withLock { $0 } }

    /// Adds a person in whose name a trusted caller writes.
    public func write(for user: UserID) { named.withLock { _ = $0.insert(user) } }
}
