import ArgumentParser
import ChatCore
import Foundation
import MessageStore
import SQLiteStore

/// Measures how many messages a second the store takes, one in each call and durable when the call returns.
///
/// Sending over HTTP is compared with this.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Measures durable inserts of single messages.")

    @Option(help: "An empty or new folder for the database.") var folder: String
    @Option(help: "Tasks that store one message after another.") var tasks = 64
    @Option(help: "How long they do.") var seconds = 5

    func run() async throws {
        let store = try await SQLStore.open(folder: URL(filePath: folder), options: StoreOptions())
        let rosters = (0..<tasks).map { number in
            ConversationRoster(
                conversation: Conversation(id: Self.place(number), kind: .group, createdAt: .now, updatedAt: .now),
                members: [Member(userID: "ada", displayName: "Ada", joinedAt: .now)])
        }
        _ = try await store.store(rosters, source: "api", mode: .posting, at: .now)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks { group.addTask { try await Self.fill(Self.place(task), of: store, until: end) } }
            return try await group.reduce(0, +)
        }
        let duration = (ContinuousClock.now - start).seconds
        await store.close()
        var line = JSONLine()
        line.add("measured", "store")
        line.add("tasks", tasks)
        line.add("messages", count)
        line.add("perSecond", Double(count) / duration)
        line.write()
    }

    private static func place(_ number: Int) -> ConversationID { ConversationID(rawValue: "c\(number)") }

    /// Stores messages into a conversation; returns how many.
    private static func fill(
        _ place: ConversationID, of store: SQLStore, until end: ContinuousClock.Instant
    ) async throws -> Int {
        var number = 0
        while ContinuousClock.now < end {
            let id = MessageID(rawValue: "\(place)-\(number)")
            let message = Message(
                key: MessageKey(conversationID: place, messageID: id), senderID: "ada", senderName: "Ada",
                text: "The pallets for the Hamburg pilot arrive on Tuesday, please keep gate 4 free.",
                timestamp: .now, localID: "local-\(number)")
            let outcomes = try await store.accept([message], source: "api", mode: .posting, at: .now)
            guard outcomes == [.inserted] else { throw BenchFault("the store refused a message") }
            number += 1
        }
        return number
    }
}

extension Timestamp {
    /// The present time.
    fileprivate static var now: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
