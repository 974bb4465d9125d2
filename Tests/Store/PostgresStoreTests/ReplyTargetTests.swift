import ChatCore
import Foundation
import MessageStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// The messages that a reply may name, in both stores.
@Suite(.hangGuard) struct ReplyTargetTests {
    /// Ada and Bob in the group `c`, of whose history Eve reads only what came after she joined at second 20.
    private func withGroup(inPostgres: Bool, _ body: (SQLStore) async throws -> Void) async throws {
        func fill(_ store: SQLStore) async throws {
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.history = .joined
            _ = try await store.create(roster, by: "ada", source: "api", at: .second(0))
            _ = try await store.post([.short("c", "m1", at: 10)], source: "api", at: .second(10))
            let eve = Member(userID: "eve", displayName: "Eve", joinedAt: .second(20))
            try await store.setMember(eve, in: "c", source: "api", at: .second(20))
            try await body(store)
        }
        if inPostgres {
            try await PostgresServer.shared().withStore { store, _ in try await fill(store) }
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = try await SQLStore.open(folder: folder, options: StoreOptions())
            try await fill(store)
            await store.close()
        }
    }

    private func reply(
        _ id: MessageID, to target: MessageID?, thread: MessageID? = nil, by user: UserID
    ) -> Message {
        var message = Message.short("c", id, by: user, at: 30)
        (message.replyToID, message.threadRootID) = (target, thread)
        return message
    }

    private func post(_ messages: [Message], by writer: Writer, in store: SQLStore) async throws -> [AcceptOutcome] {
        try await store.post(messages.map { MessageDraft($0) }, by: writer, source: "api", at: .second(30))
            .map(\.outcome)
    }

    private static func unknown(_ field: String) -> AcceptOutcome {
        .invalid(field: field, reason: "names no message of this conversation")
    }

    @Test(arguments: [false, true]) func aReplyNamesAMessageThatItsWriterReads(inPostgres: Bool) async throws {
        try await withGroup(inPostgres: inPostgres) { store in
            let ada = Writer.person(IdentifiedPerson(id: "ada"))
            let outcomes = try await post(
                [
                    reply("r1", to: "m1", by: "ada"), reply("r2", to: "zzz", by: "ada"),
                    reply("r3", to: "r1", thread: "m1", by: "ada"), reply("r4", to: "r1", thread: "zzz", by: "ada"),
                ], by: ada, in: store)
            #expect(outcomes == [.inserted, Self.unknown("replyTo"), .inserted, Self.unknown("threadRoot")])

            // What was written before a reader joined is like what does not exist.
            let eve = Writer.person(IdentifiedPerson(id: "eve"))
            #expect(try await post([reply("e1", to: "m1", by: "eve")], by: eve, in: store) == [Self.unknown("replyTo")])
            #expect(try await post([reply("e2", to: "r1", by: "eve")], by: eve, in: store) == [.inserted])
            // The same post again is not refused, whatever became of the message.
            try await store.delete(.of("c", "r1"), at: .second(31))
            #expect(try await post([reply("e3", to: "r1", by: "eve")], by: eve, in: store) == [.inserted])
            _ = try await store.erase(.user("ada"), at: .second(32))
            while try await !store.finishErasing(.user("ada"), at: .second(1_000)) {}
            #expect(try await post([reply("e4", to: "r1", by: "eve")], by: eve, in: store) == [.inserted])
        }
    }

    @Test(arguments: [false, true]) func aServerBringsRepliesInAnyOrder(inPostgres: Bool) async throws {
        try await withGroup(inPostgres: inPostgres) { store in
            let outcomes = try await post(
                [reply("r1", to: "later", by: "bob")], by: .server(defaultUser: nil), in: store)
            #expect(outcomes == [.inserted])
        }
    }
}
