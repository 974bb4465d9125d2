import Synchronization

/// Keeps values for a short time, each until it is taken once: what a ticket stands for, and sign-ins that have begun.
///
/// Values that concern nobody, which everybody can cause, leave the places of the others free.
public protocol OneTimeValues: Sendable {
    /// Keeps a value, in the place of an earlier one with this key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: A secret that nobody can guess.
    ///   - user: The person whom it concerns; nil if unknown.
    ///   - end: When it is forgotten.
    ///   - moment: The present time.
    /// - Returns: False while there are too many; nothing is kept then.
    /// - Throws: ``RepositoryError``.
    func keep(_ value: String, as key: String, of user: UserID?, until end: Timestamp, at moment: Timestamp)
        async throws
        -> Bool

    /// Returns a value, which is used up by this; nil for an unknown or old one.
    ///
    /// - Throws: ``RepositoryError``.
    func take(_ key: String, at moment: Timestamp) async throws -> String?

    /// Forgets the values of a person who was erased.
    ///
    /// - Throws: ``RepositoryError``.
    func forget(_ user: UserID) async throws
}

/// One-time values of a server that runs alone.
public final class LocalOneTimeValues: OneTimeValues {
    private struct Entry {
        let value: String
        let user: UserID?
        let end: Timestamp
    }

    private let limit: Int
    /// By whether they concern a person.
    private let entries = Mutex<[Bool: [String: Entry]]>([:])

    /// - Parameter limit: The most values at a time that concern a person, and of the others.
    public init(limit: Int = 20_000) {
        self.limit = limit
    }

    /// See ``OneTimeValues/keep(_:as:of:until:at:)``.
    public func keep(
        _ value: String, as key: String, of user: UserID?, until end: Timestamp, at moment: Timestamp
    ) async -> Bool {
        entries.withLock { entries in
            let kind = user != nil
            if entries[kind, default: [:]].count >= limit {
                entries[kind] = entries[kind]?.filter { $0.value.end > moment }
            }
            guard entries[kind, default: [:]].count < limit else { return false }
            entries[!kind]?[key] = nil
            entries[kind, default: [:]][key] = Entry(value: value, user: user, end: end)
            return true
        }
    }

    /// See ``OneTimeValues/take(_:at:)``.
    public func take(_ key: String, at moment: Timestamp) async -> String? {
        let entry = entries.withLock { $0[true]?.removeValue(forKey: key) ?? $0[false]?.removeValue(forKey: key) }
        return entry.flatMap { $0.end > moment ? $0.value : nil }
    }

    /// See ``OneTimeValues/forget(_:)``.
    public func forget(_ user: UserID) async {
        entries.withLock { $0[true] = $0[true]?.filter { $0.value.user != user } }
    }
}
