import ChatCore
import GRDB
import Synchronization

/// What the asker of a search may see, and who is there, as it was read last; kept until a membership, a conversation
/// or somebody's kind changes.
///
/// Exact, as this process alone writes (``InstanceLock``): triggers of the connection that writes note every change of
/// memberships, conversations and kinds of users, whatever statement makes it, and a call that writes does not return before what was read earlier is
/// forgotten. Who has left finds nothing from that moment on.
final class RosterMemory: Sendable {
    /// What was read of one scope.
    struct Roster: Sendable {
        var permitted: [PermittedConversation]
        /// Nil until somebody asks for them.
        var people: [Person]?
        /// When it was read.
        var moment: Timestamp
        /// When the next of the asker's memberships ends that is about to.
        var end: Timestamp?

        fileprivate func holds(at moment: Timestamp) -> Bool {
            self.moment <= moment && end.map { moment < $0 } ?? true
        }

        fileprivate var size: Int { permitted.count + (people?.count ?? 0) + 1 }
    }

    private struct State {
        var version = 0
        var rosters: [SearchScope: Roster] = [:]
        var size = 0
    }

    /// The most conversations and people that are kept, about 200 bytes each.
    private static let sizeLimit = 200_000

    private let state = Mutex(State())
    private let isChanged = Mutex(false)

    /// Returns what is known of a scope at a moment, and the version that something read from now on belongs to.
    func known(_ scope: SearchScope, at moment: Timestamp) -> (roster: Roster?, version: Int) {
        state.withLock { state in
            let roster = state.rosters[scope].flatMap { $0.holds(at: moment) ? $0 : nil }
            return (roster, state.version)
        }
    }

    /// Keeps what was read, unless something changed since `version`.
    func keep(_ roster: Roster, of scope: SearchScope, version: Int) {
        state.withLock { state in
            guard state.version == version else { return }
            if state.size + roster.size > Self.sizeLimit { (state.rosters, state.size) = ([:], 0) }
            state.size += roster.size - (state.rosters[scope]?.size ?? 0)
            state.rosters[scope] = roster
        }
    }

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
