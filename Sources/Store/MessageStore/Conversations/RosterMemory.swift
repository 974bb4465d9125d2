package import ChatCore
import Synchronization

/// Remembers the conversations that askers of searches may see, and their people.
///
/// The memory is cleared when a membership, a conversation or a user's kind changes.
///
/// A person who has left finds nothing from that moment on. With SQLite only this process writes (``InstanceLock``):
/// triggers of the writing connection note every change of memberships, conversations and kinds of users, by any
/// statement, and a call that writes does not return before older entries are removed. With PostgreSQL triggers of the
/// database change a version, and each call compares it first; see ``PostgresRosterVersion``.
package final class RosterMemory: Sendable {
    /// The data that was read for one scope.
    package struct Roster: Sendable {
        var permitted: [PermittedConversation]
        /// Nil until they are asked for; without those who are only in large conversations.
        var people: [Person]?
        /// The numbers of conversations whose members were not read.
        var large: [Int64] = []
        /// The time of reading.
        var moment: Timestamp
        /// The next end of one of the asker's memberships; nil when none is known.
        var end: Timestamp?

        package init(
            permitted: [PermittedConversation], people: [Person]?, moment: Timestamp, end: Timestamp? = nil
        ) {
            self.permitted = permitted
            self.people = people
            self.moment = moment
            self.end = end
        }

        fileprivate func holds(at moment: Timestamp) -> Bool {
            self.moment <= moment && end.map { moment < $0 } ?? true
        }

        /// The approximate size in bytes.
        fileprivate func byteCount(of scope: SearchScope) -> Int {
            let own = permitted.reduce(scope.byteCount + 128) {
                $0 + 112 + $1.id.rawValue.utf8.count + $1.displayName.utf8.count
            }
            return (people ?? []).reduce(own + 8 * large.count) { $0 + $1.byteCount }
        }
    }

    private struct State {
        var version = 0
        var rosters: [SearchScope: (roster: Roster, byteCount: Int)] = [:]
        var byteCount = 0
    }

    private let byteLimit: Int
    /// Whether versions are counted here; otherwise they are those of the database.
    private let hearsEveryWrite: Bool
    private let state = Mutex(State())
    private let isChanged = Mutex(false)

    /// Makes an empty memory of about `byteLimit` bytes at most.
    package init(byteLimit: Int = 64 << 20, hearsEveryWrite: Bool = true) {
        (self.byteLimit, self.hearsEveryWrite) = (byteLimit, hearsEveryWrite)
    }

    /// Returns the roster of a scope if it is known at a moment, and the version to pass to ``keep(_:of:version:)``.
    package func known(_ scope: SearchScope, at moment: Timestamp) -> (roster: Roster?, version: Int) {
        state.withLock { state in
            let roster = state.rosters[scope].flatMap { $0.roster.holds(at: moment) ? $0.roster : nil }
            return (roster, state.version)
        }
    }

    /// Keeps a roster, unless something changed after `version` or the roster alone exceeds the limit.
    ///
    /// Versions of the database have no order: those of the roster replace what is known of another one.
    ///
    /// It is kept under the permitted conversations, so a list that contains other ids does not find it again.
    package func keep(_ roster: Roster, of scope: SearchScope, version: Int) {
        guard let scope = scope.narrowed(to: roster.permitted.map(\.id)) else { return }
        let size = roster.byteCount(of: scope)
        guard size <= byteLimit else { return }
        state.withLock { state in
            if !hearsEveryWrite, state.version >= 0, state.version != version { state = State(version: version) }
            guard state.version == version else { return }
            state.byteCount -= state.rosters.removeValue(forKey: scope)?.byteCount ?? 0
            if state.byteCount + size > byteLimit { (state.rosters, state.byteCount) = ([:], 0) }
            state.byteCount += size
            state.rosters[scope] = (roster, size)
        }
    }

    /// The number of kept scopes, and their approximate size in bytes.
    package var kept: (count: Int, byteCount: Int) { state.withLock { ($0.rosters.count, $0.byteCount) } }

    /// Clears the memory if a membership, a conversation or a kind changed; called at the end of every transaction.
    package func endTransaction() {
        let wasChanged = isChanged.withLock { isChanged in
            defer { isChanged = false }
            return isChanged
        }
        guard wasChanged else { return }
        state.withLock { $0 = State(version: $0.version + 1) }
    }

    /// Clears the memory, and keeps nothing from now on.
    func close() {
        state.withLock { $0 = State(version: -1) }
    }

    /// Notes within a transaction that a membership, a conversation or a kind changed.
    package func rememberChange() {
        isChanged.withLock { $0 = true }
    }

    /// The changes to note, as triggers of SQLite name them.
    package static let events = [
        "INSERT ON main.members",
        "UPDATE OF user_id, display_name, aliases, joined_at, left_at ON main.members", "DELETE ON main.members",
        "INSERT ON main.conversations",
        "UPDATE OF id, kind, visibility, name, time_zone ON main.conversations", "DELETE ON main.conversations",
        "INSERT ON main.users", "UPDATE ON main.users", "DELETE ON main.users",
        "UPDATE OF history ON main.conversations", "INSERT ON main.reading_spans", "UPDATE ON main.reading_spans",
        "DELETE ON main.reading_spans", "UPDATE OF is_invited ON main.members",
    ]
}
