import ChatCore
import TestSupport

/// Everything that can be read of a store, to compare two.
struct Picture: Equatable {
    var changes: [Change]
    var rosters: [ConversationRoster] = []
    var permitted: [PermittedConversation] = []
    var pages: [[Message]] = []
    var generations: [EmbeddingGeneration]
    var statuses: [QueueStatus] = []
    var failures: [[String: Int]] = []
    var passages: [[IndexedPassage]] = []
    var turns: [Turn] = []
    var readable: [ReadableTurn] = []
    var threads: [AssistantThread] = []
    var followedThreads: [ListChanges<AssistantThread>] = []
    var exchanges: [ListChanges<Turn>] = []
    var identities: [Identity]

    /// Who is asked for; every test's people are among them.
    static let people: [UserID] = ["ada", "bob", "eve"]

    private static let start = ChangeNumber(rawValue: 0)

    init(of store: any Store, at second: Int = 1_000) async throws {
        changes = try await store.changes(after: ChangeNumber(rawValue: 0), limit: 1_000_000)
        generations = try await store.generations()
        identities = try await store.identities()
        for person in Self.people {
            let seen = try await store.permitted(
                SearchScope(asker: person, conversations: .all), at: .second(second))
            permitted += seen
            for place in seen {
                rosters.append(try await store.roster(of: place.id, asker: person, at: .second(second)))
                pages.append(
                    try await store.page(
                        of: place.id, asker: person, before: nil, limit: 100_000, at: .second(second)))
                exchanges.append(
                    try await store.exchangeChanges(
                        of: person, in: place.id, after: Self.start, limit: 1_000, at: .second(second)))
            }
            let asked = try await store.turns(of: person, limit: 1_000)
            turns += asked
            readable += try await store.readable(asked, at: .second(second))
            threads += try await store.threads(of: person, after: nil, limit: 1_000)
            for (start, limit) in [(Self.start, 1_000), (Self.start, 2), (changes.last?.number ?? Self.start, 9)] {
                followedThreads.append(try await store.threadChanges(of: person, after: start, limit: limit))
            }
        }
        for number in generations.map(\.number) {
            statuses.append(try await store.status(of: number))
            failures.append(try await store.failures(of: number))
            passages.append(
                try await store.indexedPassages(of: number, after: PassageNumber(rawValue: 0), limit: 100_000))
        }
    }
}
