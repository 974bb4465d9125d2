import ChatCore
import Synchronization

/// The names of people, ready to be looked for in questions: made once for the people of a scope, not for each question.
final class NameMemory: Sendable {
    private struct Entry {
        let people: [Person]
        let names: NameIndex
    }

    /// The most people whose names are kept, some of them in several scopes.
    private static let limit = 50_000

    private let entries = Mutex<(byScope: [SearchScope: Entry], size: Int)>(([:], 0))

    /// Returns the names of `people`, who are those of `scope`.
    func names(of people: [Person], in scope: SearchScope) -> NameIndex {
        // A store that remembers them gives the same array, whose comparison costs nothing.
        if let known = entries.withLock({ $0.byScope[scope] }), known.people == people { return known.names }
        let names = NameIndex(people.map(Participant.init))
        entries.withLock { entries in
            if entries.size + people.count > Self.limit { entries = ([:], 0) }
            entries.size += people.count - (entries.byScope[scope]?.people.count ?? 0)
            entries.byScope[scope] = Entry(people: people, names: names)
        }
        return names
    }

    /// Forgets all names.
    func forget() { entries.withLock { $0 = ([:], 0) } }
}
