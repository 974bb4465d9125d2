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

    init(of store: any Store, at second: Int = 1_000) async throws {
        changes = try await store.allChanges()
        let end = try await store.latestChange()
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
                        of: person, in: place.id, after: nil, limit: 1_000, at: .second(second)
                    ).ofAnyLog)
            }
            let asked = try await store.turns(of: person, limit: 1_000)
            turns += asked
            readable += try await store.readable(asked, at: .second(second))
            threads += try await store.threads(of: person, after: nil, limit: 1_000)
            for (start, limit) in [(nil, 1_000), (nil, 2), (end, 9)] as [(ChangeCursor?, Int)] {
                followedThreads.append(try await store.threadChanges(of: person, after: start, limit: limit).ofAnyLog)
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

extension ListChanges {
    /// The same with a cursor that does not say which store it is of.
    fileprivate var ofAnyLog: ListChanges {
        ListChanges(
            items: items, removedIDs: removedIDs, next: ChangeCursor(epoch: 0, positions: next.positions))
    }
}
