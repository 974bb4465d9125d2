package import ChatCore
import GRDB
import Synchronization

/// What the asker of a search may see, and who is there, as it was read last; kept until a membership, a conversation
/// or somebody's kind changes.
///
/// Exact, as this process alone writes (``InstanceLock``): triggers of the connection that writes note every change of
/// memberships, conversations and kinds of users, whatever statement makes it, and a call that writes does not return before what was read earlier is
/// forgotten. Who has left finds nothing from that moment on.
package final class RosterMemory: Sendable {
    /// What was read of one scope.
    package struct Roster: Sendable {
        var permitted: [PermittedConversation]
        /// Nil until somebody asks for them.
        var people: [Person]?
        /// When it was read.
        var moment: Timestamp
        /// When the next of the asker's memberships ends that is about to.
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

        /// About how many bytes it takes.
        fileprivate func byteCount(of scope: SearchScope) -> Int {
            let own = permitted.reduce(scope.byteCount + 128) {
                $0 + 112 + $1.id.rawValue.utf8.count + $1.displayName.utf8.count
            }
            return (people ?? []).reduce(own) { $0 + $1.byteCount }
        }
    }

    private struct State {
        var version = 0
        var rosters: [SearchScope: (roster: Roster, byteCount: Int)] = [:]
        var byteCount = 0
    }

    private let byteLimit: Int
    private let state = Mutex(State())
    private let isChanged = Mutex(false)

    /// Makes an empty memory that takes at most about so many bytes.
    package init(byteLimit: Int = 64 << 20) {
        self.byteLimit = byteLimit
    }

    /// Returns what is known of a scope at a moment, and the version that something read from now on belongs to.
    package func known(_ scope: SearchScope, at moment: Timestamp) -> (roster: Roster?, version: Int) {
        state.withLock { state in
            let roster = state.rosters[scope].flatMap { $0.roster.holds(at: moment) ? $0.roster : nil }
            return (roster, state.version)
        }
    }

    /// Keeps what was read, unless something changed since `version` or it alone exceeds the limit.
    ///
    /// It is kept under the conversations that are permitted: lists of ids that name others are not known again.
    package func keep(_ roster: Roster, of scope: SearchScope, version: Int) {
        guard let scope = scope.narrowed(to: roster.permitted.map(\.id)) else { return }
        let size = roster.byteCount(of: scope)
        guard size <= byteLimit else { return }
        state.withLock { state in
            guard state.version == version else { return }
            state.byteCount -= state.rosters.removeValue(forKey: scope)?.byteCount ?? 0
            if state.byteCount + size > byteLimit { (state.rosters, state.byteCount) = ([:], 0) }
            state.byteCount += size
            state.rosters[scope] = (roster, size)
        }
    }

    /// How many scopes are kept, and about how many bytes they take.
    package var kept: (count: Int, byteCount: Int) { state.withLock { ($0.rosters.count, $0.byteCount) } }

    /// Forgets everything if a membership or a conversation changed; called at the end of every transaction.
    func endTransaction() {
        let wasChanged = isChanged.withLock { isChanged in
            defer { isChanged = false }
            return isChanged
        }
        guard wasChanged else { return }
        state.withLock { $0 = State(version: $0.version + 1) }
    }

    /// Forgets everything, and keeps nothing from now on.
    func close() {
        state.withLock { $0 = State(version: -1) }
    }

    /// Watches the connection that writes.
    func watch(_ db: Database) throws {
        db.add(
            function: DatabaseFunction("nexus_note_roster", argumentCount: 0) { [self] _ in
                isChanged.withLock { $0 = true }
                return nil
            })
        let events = [
            "INSERT ON main.members", "UPDATE ON main.members", "DELETE ON main.members",
            "INSERT ON main.conversations",
            "UPDATE OF id, kind, visibility, name, time_zone ON main.conversations", "DELETE ON main.conversations",
            "INSERT ON main.users", "UPDATE ON main.users", "DELETE ON main.users",
        ]
        for (number, event) in events.enumerated() {
            try db.execute(
                sql: "CREATE TEMP TRIGGER note_roster\(number) AFTER \(event) BEGIN SELECT nexus_note_roster(); END")
        }
    }
}
