package import ChatCore
import Synchronization
package import TextAnalysis

/// The names of people, ready to be found in questions: made once for the people of a scope, not for each question.
package final class NameMemory: Sendable {
    private struct Entry {
        let people: [Person]
        let names: NameIndex
        let byteCount: Int
    }

    private let byteLimit: Int
    private let entries = Mutex<(byScope: [SearchScope: Entry], byteCount: Int)>(([:], 0))

    /// Makes an empty memory of at most about `byteLimit` bytes.
    package init(byteLimit: Int = 32 << 20) {
        self.byteLimit = byteLimit
    }

    /// The number of kept scopes, and about how many bytes they take.
    package var kept: (count: Int, byteCount: Int) { entries.withLock { ($0.byScope.count, $0.byteCount) } }

    /// Returns the names of `people`, the people of `scope`.
    ///
    /// - Parameters:
    ///   - people: The people.
    ///   - scope: A scope that names only permitted conversations: see ``ChatCore/SearchScope/narrowed(to:)``.
    /// - Returns: Their names.
    package func names(of people: [Person], in scope: SearchScope) -> NameIndex {
        // A store that caches them returns the same array, and comparing that costs nothing.
        if let known = entries.withLock({ $0.byScope[scope] }), known.people == people { return known.names }
        let names = NameIndex(people.map(Participant.init))
        // The people, and about three times as much for their words.
        let size = people.reduce(scope.byteCount + 256) { $0 + 4 * $1.byteCount }
        guard size <= byteLimit else { return names }
        entries.withLock { entries in
            entries.byteCount -= entries.byScope.removeValue(forKey: scope)?.byteCount ?? 0
            if entries.byteCount + size > byteLimit { entries = ([:], 0) }
            entries.byteCount += size
            entries.byScope[scope] = Entry(people: people, names: names, byteCount: size)
        }
        return names
    }

    /// Forgets all names.
    func forget() { entries.withLock { $0 = ([:], 0) } }
}
